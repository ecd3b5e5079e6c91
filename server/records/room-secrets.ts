import { type FieldReason, wrong } from "../../contract/kit/reasons.ts";
import { readsSecrets } from "../../contract/kit/scopes.ts";
import { CONCEALED, concealedAddress, isConcealed } from "../../contract/kit/secrets.ts";
import type { Room } from "../../contract/rooms/record.ts";
import { roomSettings, secretSettings } from "../../contract/rooms/settings.ts";
import type { Caller } from "../change/organization.ts";

/** Returns whether a room has a password. */
export const hasPassword = <R extends Pick<Room, "roomPassword">>(
  room: R,
): room is R & { readonly roomPassword: string } =>
  room.roomPassword !== null && room.roomPassword !== "";

/** The secrets that every answer with a room carries. */
const shownSecrets = secretSettings.filter((name) => name in roomSettings);

/** The value of a secret in an answer; the secret itself where it is not set. */
const concealed = (name: string, value: unknown): unknown => {
  if (value === null || value === undefined || value === "") return value;
  return name === "liveStreamUrl" ? concealedAddress(String(value)) : CONCEALED;
};

const conceal = (record: string): string => {
  const shown = JSON.parse(record);
  for (const name of shownSecrets) shown[name] = concealed(name, shown[name]);
  return JSON.stringify(shown);
};

/** A secret that is set and not concealed, in the JSON of rooms: in a text every quote is escaped. */
const SECRET = new RegExp(
  shownSecrets
    .map((name) =>
      name === "liveStreamUrl"
        ? `"${name}":"(?![^"]*/\\(set\\)")[^"]`
        : `"${name}":"(?!\\(set\\)")[^"]`,
    )
    .join("|"),
);

/** Returns whether the JSON of rooms has a secret. */
export const holdsSecret = (json: string): boolean => SECRET.test(json);

const asItIs = (record: string): string => record;

/** Turns a room's record into what a caller sees of it. */
export const recordFor = ({ scope }: Pick<Caller, "scope">): ((record: string) => string) =>
  readsSecrets(scope, "Rooms") ? asItIs : conceal;

type Changes = Readonly<Record<string, unknown>>;

/**
 * The changes without what stands for a secret that the room has: a record that somebody fetched without
 * secrets changes nothing when it is sent back, also by another caller.
 */
export const withoutConcealed = (room: Room, changes: Changes): Changes =>
  Object.fromEntries(
    Object.entries(changes).filter(
      ([name, value]) =>
        !(isConcealed(value) && value === concealed(name, room[name as keyof Room])),
    ),
  );

/** An error for each secret in place of which something that stands for one would be stored. */
export const concealedErrors = (changes: Changes): readonly FieldReason[] =>
  secretSettings
    .filter((name) => isConcealed(changes[name]))
    .map((field) => wrong(field, "stands_for_secret", { text: CONCEALED }));
