import type { Input, Operation, Reply } from "../kit/operation.ts";
import type { OrganizationSettings } from "../kit/organization-settings.ts";
import type { ProviderSettings } from "../organization/providers.ts";
import type { UserSettingName } from "../people/settings.ts";
import type { allSettings } from "../rooms/settings.ts";

/* The tools with which descriptions and examples are written. */

/** The meaning of a field; for a field with fields of its own, also the meanings of those. */
export type Meaning = string | { readonly is: string; readonly fields: Meanings };
/** The meanings of a record's fields, by their names. */
export interface Meanings {
  readonly [field: string]: Meaning;
}

export type MeaningOf<T> = T extends readonly (infer Entry)[]
  ? MeaningOf<Entry>
  : T extends object
    ? { readonly is: string; readonly fields: MeaningsOf<T> }
    : string;
type RoomSetting = keyof typeof allSettings | "roomPermalink";
/** The settings in a record: their schemas describe them, so they need no text here. */
type SettingsIn<T> = T extends { readonly roomOwnerId: string }
  ? RoomSetting
  : T extends { readonly email: string; readonly username: string }
    ? UserSettingName
    : T extends { readonly recordingDays: unknown }
      ? keyof OrganizationSettings
      : T extends { readonly createsAccounts: boolean }
        ? keyof ProviderSettings
        : never;
export type MeaningsOf<T> = {
  readonly [K in Exclude<keyof T, SettingsIn<T> | keyof typeof commonFields>]: MeaningOf<
    NonNullable<T[K]>
  >;
};

/** The fields of most answers. */
export const commonFields = {
  success: "Always true; a failure has false.",
  type: "The name of the answer, always this text.",
} as const;

/** The meaning of a `lastReason` that says the same as a text. */
export const reasonMeaning = (is: string) => ({
  is,
  fields: { code: "The code of the reason, as the table of reasons has it." },
});

/** The example of an operation. */
export type Example<O extends Operation> = {
  /** The example of a file: its text. */
  readonly answer: O extends { readonly file: readonly string[] } ? string : Reply<O>;
} & (O["in"] extends "nothing" ? { readonly request?: never } : { readonly request: Input<O> });

/** A description with a list below its first paragraph, in Markdown. */
export const points = (first: string, ...rest: readonly string[]): string =>
  [first, "", ...rest.map((point) => `- ${point}`)].join("\n");

/** The people who may moderate, record, stream or transcribe a meeting, for the descriptions of operations. */
export const whoModerates =
  "For administrators, access keys and the room's owners; a moderator inside sends the same over the meeting socket. Every other room is answered as unknown.";
