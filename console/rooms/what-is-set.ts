import { secretSettings } from "../../contract/rooms/settings.ts";
import type { RoomValues, SettingName } from "../data/room-values.ts";
import { sayValue } from "../kit/schema-field.tsx";
import { showMoment } from "../kit/show.ts";
import { t } from "../texts/index.ts";

const secrets: ReadonlySet<string> = new Set(secretSettings);

const said = (name: SettingName, value: unknown): string | undefined => {
  const label = t.rooms.labels[name];
  if (value === true) return label;
  if (value === false || value === null || value === "") return undefined;
  if (secrets.has(name)) return t.rooms.setTo(label, t.rooms.isSet);
  const shown = name === "scheduledDateTime" ? showMoment(String(value)) : sayValue(value);
  return t.rooms.setTo(label, shown);
};

/** What is set in a folded group, in one line. */
export const whatIsSet = (names: readonly SettingName[], values: RoomValues): string =>
  names
    .map((name) => said(name, values[name]))
    .filter(Boolean)
    .join(" · ") || t.rooms.nothingSet;
