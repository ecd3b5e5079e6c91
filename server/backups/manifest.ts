import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { z } from "zod";
import { stamp } from "../db/backup/files.ts";
import { DamagedBackup } from "../db/errors.ts";

/*
 * The files of a backup, beside each other in its place:
 *
 *   NAME.db                the database, a SQLite file
 *   NAME.recordings.jsonl  with recordings: their files, one a line
 *   NAME.json              the manifest, written last: with it the backup is whole
 *   NAME.verified.json     when it was last restored for a check, and held
 *
 * The files of recordings are shared by all backups of the place, below FILMS.
 */

/** Below this, files of recordings are kept as in DATA_DIR/recordings. */
export const FILMS = "parley-recordings/";

/** How the names of backups and of FILMS begin. */
export const OWN = "parley-";

/** A file and what is in it. */
const listedFile = z.object({
  file: z.string(),
  bytes: z.number(),
  sha256: z.string(),
});
export type ListedFile = z.infer<typeof listedFile>;

const manifestSchema = z.object({
  parleyBackup: z.literal(1),
  name: z.string(),
  madeAt: z.string(),
  version: z.string(),
  from: z.enum(["sqlite", "postgres"]),
  database: listedFile.extend({ rows: z.record(z.string(), z.number()) }),
  recordings: listedFile
    .extend({
      count: z.number(),
      files: z.number(),
      size: z.number(),
      /** Recordings whose files were not reached from the machine that made the backup. */
      missing: z.number(),
    })
    .nullable(),
});
/** The description that a backup carries. It holds no secret, and no address of the database. */
export type Manifest = z.infer<typeof manifestSchema>;

const markSchema = z.object({ verifiedAt: z.string(), recordings: z.boolean() });
/** When a backup was found to be good. */
export type VerifiedMark = z.infer<typeof markSchema>;

const parsed = <T>(schema: z.ZodType<T>, text: string, what: string): T => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new DamagedBackup(`${what} is damaged: it is not JSON.`);
  }
  const { data, error } = schema.safeParse(value);
  if (error) throw new DamagedBackup(`${what} is damaged, or of a newer Parley.`);
  return data;
};

/** @throws DamagedBackup if the text is not a manifest that this version reads */
export const parseManifest = (text: string, what: string): Manifest =>
  parsed(manifestSchema, text, what);

/** @throws DamagedBackup */
export const parseMark = (text: string, what: string): VerifiedMark =>
  parsed(markSchema, text, what);

/** The list of files of recordings, in a text of one line for each. @throws DamagedBackup */
export const parseFilms = (text: string, what: string): ListedFile[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => parsed(listedFile, line, what));

const NAME = /^parley-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/;

/** The name of a backup that is made now. */
export const newName = (): string => `${OWN}${stamp()}`;

/** When the backup with this name was made, in milliseconds; undefined: no backup has this name. */
export const madeAtOf = (name: string): number | undefined => {
  const [, year, month, day, hour, minute, second, ms] = NAME.exec(name) ?? [];
  if (ms === undefined) return undefined;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`);
};

/** The names of a backup's files. */
export const filesOfBackup = (name: string) => ({
  database: `${name}.db`,
  films: `${name}.recordings.jsonl`,
  manifest: `${name}.json`,
  mark: `${name}.verified.json`,
});

/** The backup that a file of a place belongs to; undefined: the file is none of a backup. */
export const backupOf = (file: string): string | undefined => {
  const name = /^(.+?)\.(?:db|recordings\.jsonl|json|verified\.json)$/.exec(file)?.[1];
  return name === undefined || madeAtOf(name) === undefined ? undefined : name;
};

/** The SHA-256 of what a stream gives. @param onPiece gets the length of each piece that was read */
export const digestOfStream = async (
  pieces: AsyncIterable<Buffer>,
  onPiece?: (bytes: number) => void,
): Promise<string> => {
  const sum = createHash("sha256");
  for await (const piece of pieces) {
    sum.update(piece);
    onPiece?.(piece.length);
  }
  return sum.digest("hex");
};

/** The size and the SHA-256 of a file, under the name that it has in its place. */
export const listFile = async (path: string, file: string): Promise<ListedFile> => {
  const sha256 = await digestOfStream(createReadStream(path));
  return { file, bytes: (await stat(path)).size, sha256 };
};
