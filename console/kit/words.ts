import { t } from "../texts/index.ts";

/** A word of the service as people read it; undefined if the table has none for it. */
export const wordIn = (table: object, word: string): string | undefined =>
  Object.hasOwn(table, word) ? (table as Readonly<Record<string, string>>)[word] : undefined;

/** How a word of a room's settings is shown; a word that is not known is shown unchanged. */
export const sayRoomWord = (word: string): string => wordIn(t.rooms.words, word) ?? word;
