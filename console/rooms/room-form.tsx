import { TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import type { z } from "zod";
import { carriedIn, errorOf } from "../../contract/kit/reasons.ts";
import { createRoom } from "../../contract/rooms/rooms.ts";
import { roomSettings, secretSettings } from "../../contract/rooms/settings.ts";
import { recordedOf, recordingOfPeople } from "../data/first-values.ts";
import type { RoomValues, SettingName } from "../data/room-values.ts";
import css from "../kit/form.module.css";
import { asTyped, type useForm } from "../kit/form.ts";
import { EditForm, FormGroup } from "../kit/form-parts.tsx";
import { longest } from "../kit/schema.ts";
import { SchemaField, sayValue } from "../kit/schema-field.tsx";
import { useUser } from "../kit/session.ts";
import { showMoment } from "../kit/show.ts";
import { t } from "../texts/index.ts";
import { SeatsNote } from "./engine-note.tsx";
import { FirstChoices } from "./first-choices.tsx";
import { OwnersField } from "./owners-field.tsx";
import { settingGroups } from "./setting-groups.ts";

const concealed: ReadonlySet<string> = new Set(secretSettings);

const said = (name: SettingName, value: unknown): string | undefined => {
  const label = t.rooms.labels[name];
  if (value === true) return label;
  if (value === false || value === null || value === "") return undefined;
  if (concealed.has(name)) return t.rooms.setTo(label, t.rooms.isSet);
  const shown = name === "scheduledDateTime" ? showMoment(String(value)) : sayValue(value);
  return t.rooms.setTo(label, shown);
};

/** The settings of a folded group, in one line. */
const whatIsSet = (names: readonly SettingName[], values: RoomValues): string =>
  names
    .map((name) => said(name, values[name]))
    .filter(Boolean)
    .join(" · ") || t.rooms.nothingSet;

/** Not settings, but in the group of basics. */
const owned = ["roomOwnerId", "room"] as const;
const LENGTH = longest(createRoom.input.shape.name);

/** Shown as dots until the person asks to see them. */
const secrets: ReadonlySet<SettingName> = new Set(["roomPassword", "liveStreamKey"]);

interface RoomFormProps {
  readonly form: ReturnType<typeof useForm<RoomValues>>;
  /** True if the room is new: its ID can still be chosen. */
  readonly isNew: boolean;
  readonly busy: boolean;
  readonly onSubmit: () => void;
  /** The choice that guests wait for a host, which stands beside the lobby and is no setting. */
  readonly door: ReactNode;
  /** How many people hear of a new name by email. */
  readonly invited?: number;
}

/** Turning recording on where nobody would be recorded records everybody; that can be changed. */
const changesWith = (name: SettingName, value: unknown, values: RoomValues): Partial<RoomValues> =>
  name === "enableRecording" &&
  value === true &&
  recordedOf({ ...values, enableRecording: true }) === "nobody"
    ? recordingOfPeople("everybody")
    : { [name]: value };

/** The settings that the first screen shows: no folded group shows them again. */
const first: ReadonlySet<SettingName> = new Set([
  "roomType",
  "authenticationRequired",
  "roomPassword",
]);

const placed: Readonly<Partial<Record<SettingName, Readonly<Record<string, string>>>>> = {
  participantType: {
    "": t.rooms.parts.none,
    participant: t.rooms.parts.participant,
    viewer: t.rooms.parts.viewer,
  },
};

/** The settings of a room in their groups; those of a new room are folded below what it needs. */
export const RoomForm = ({ form, isNew, busy, onSubmit, door, invited = 0 }: RoomFormProps) => {
  const { values, errors, set, refuse } = form;
  /** Shows the error of a changed field that the person leaves, before the form is sent. */
  const check = (name: SettingName): void => {
    if (values[name] === form.base[name]) return;
    const schema: z.ZodType = roomSettings[name].create;
    const message = schema.safeParse(asTyped(values[name])).error?.issues[0]?.message;
    if (message !== undefined) refuse(name, errorOf({ field: name, reason: carriedIn(message) }));
  };
  // Without `admin`, people may neither look others up nor decide who owns a room.
  const { admin } = useUser();
  return (
    <EditForm
      form={form}
      save={isNew ? t.rooms.saveNew : t.rooms.save}
      cancelTo="/rooms"
      isNew={isNew}
      busy={busy}
      onSubmit={onSubmit}
    >
      {isNew && <FirstChoices form={form} nameLength={LENGTH} />}
      {settingGroups.map(({ group, settings }) => (
        <FormGroup
          key={group}
          id={group}
          {...t.rooms.groups[group]}
          {...(isNew && {
            title: group === "basics" ? t.rooms.more : t.rooms.groups[group].title,
            folded: whatIsSet(
              settings.filter((name) => !first.has(name)),
              values,
            ),
            opens: [...settings, ...(group === "basics" ? owned : [])].some(
              (name) => name in errors,
            )
              ? errors
              : undefined,
          })}
        >
          {group === "basics" && (
            <>
              {!isNew && (
                <div className={css.wide}>
                  <TextInput
                    label={t.rooms.labels.name}
                    description={
                      invited > 0 && values.name !== form.base.name
                        ? t.schedule.sends.renames(invited)
                        : t.rooms.nameHelp
                    }
                    withAsterisk
                    name="name"
                    autoComplete="off"
                    {...(LENGTH === undefined ? {} : { maxLength: LENGTH })}
                    value={values.name}
                    onChange={(event) => set("name", event.currentTarget.value)}
                    error={errors.name}
                  />
                </div>
              )}
              {admin && (
                <div className={css.wide}>
                  <OwnersField
                    value={values.roomOwnerId}
                    error={errors.roomOwnerId}
                    onChange={(owners) => set("roomOwnerId", owners)}
                  />
                </div>
              )}
              {isNew && (
                <TextInput
                  label={t.rooms.labels.room}
                  description={t.rooms.idHelp}
                  name="room"
                  autoComplete="off"
                  spellCheck={false}
                  value={values.room}
                  onChange={(event) => set("room", event.currentTarget.value)}
                  error={errors.room}
                />
              )}
            </>
          )}
          {group === "seats" && !isNew && <SeatsNote values={values} />}
          {settings
            .filter((name) => !(isNew ? first.has(name) : name === "scheduledDateTime"))
            .map((name) => (
              <SchemaField
                key={name}
                name={name}
                schema={roomSettings[name].create as z.ZodType}
                label={t.rooms.labels[name]}
                help={t.rooms.help[name]}
                secret={secrets.has(name)}
                value={values[name]}
                error={errors[name]}
                {...(placed[name] && { choices: placed[name] })}
                onLeave={() => check(name)}
                onChange={(value) => {
                  const changes = changesWith(name, value, values);
                  for (const [key, one] of Object.entries(changes))
                    set(key as SettingName, one as never);
                }}
              />
            ))}
          {group === "privacy" && door}
          {group === "recording" && recordedOf(values) === "nobody" && (
            <p className={`small ${css.wide}`} role="note">
              {t.rooms.recordsNobody}
            </p>
          )}
        </FormGroup>
      ))}
    </EditForm>
  );
};
