import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { readFile, unlink, writeFile } from "node:fs/promises";
import type { Kysely } from "kysely";
import { FileExists, ignoring, putInPlace } from "../lib/durable.ts";
import { makeFolder } from "../lib/folders.ts";
import { keyFile } from "./place.ts";
import type { Tables } from "./tables.ts";

/** Encrypts texts for the database, so that a copy of the database alone reveals nothing. */
export interface Seal {
  /**
   * AES-256-GCM (NIST SP 800-38D) under a new random nonce. The context (what the text belongs
   * to) is bound to it: a sealed text that is moved elsewhere does not open.
   */
  seal(text: string, context: string): string;
  /** @throws SealError when the text was not sealed with this key and this context. */
  open(sealed: string, context: string): string;
  /** Where the key comes from, for messages. */
  readonly source: string;
}

/** The sealing key cannot be used, or does not open something. */
export class SealError extends Error {
  override name = "SealError";
}

/**
 * The content of a sealed JSON text that carries its end (`until`, in milliseconds); undefined if it has
 * ended, or was not sealed with this key and this context.
 *
 * @param time the current time, by the clock that set the end
 */
export const openUntil = <Content extends { readonly until: number }>(
  seal: Pick<Seal, "open">,
  sealed: string,
  context: string,
  time: number,
): Content | undefined => {
  try {
    const content: Content = JSON.parse(seal.open(sealed, context));
    return content.until > time ? content : undefined;
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
};

/** Where the key of an installation is: given as it is, or in a file of the data folder. */
interface KeyPlace {
  readonly secret: string | undefined;
  readonly dataDir: string;
}

const algorithm = "aes-256-gcm";
const version = "v1";

/**
 * The seal of this installation: PARLEY_SECRET, or DATA_DIR/secret.key, which is made where it does not
 * exist and nothing is sealed yet.
 *
 * @param db the database that the seal is for: where it was begun with a key, a missing file is an
 *   error
 * @throws SealError where the file does not hold 64 hexadecimal digits, or is missing
 */
export const openSeal = async (
  { secret, dataDir }: KeyPlace,
  db?: Kysely<Tables>,
): Promise<Seal> => {
  if (secret !== undefined) return makeSeal(secret, "PARLEY_SECRET");
  const path = keyFile(dataDir);
  const kept = await readKey(path);
  // A key made now would open nothing, and later look like the right one.
  if (kept === undefined && db !== undefined && (await isSealed(db))) {
    throw new SealError(
      `${path} is missing: put back the key that the database was begun with, or set PARLEY_SECRET.`,
    );
  }
  const key = kept ?? (await createKey(dataDir, path));
  if (!/^[0-9a-fA-F]{64}$/.test(key)) {
    throw new SealError(
      `${path} does not hold 64 hexadecimal digits; put the right key back (without it, what it has sealed cannot be opened).`,
    );
  }
  return makeSeal(key, path);
};

/** Returns whether the database was begun with a key. */
const isSealed = async (db: Kysely<Tables>): Promise<boolean> => {
  const row = await db.selectFrom("service").select("seal_check").executeTakeFirst();
  return typeof row?.seal_check === "string";
};

/**
 * Refuses a key other than the one that this database was begun with. The first call on a
 * database stores a text that later calls must be able to open.
 *
 * @throws SealError where it does not open.
 */
export const checkSeal = async (tx: Kysely<Tables>, seal: Seal): Promise<void> => {
  await tx
    .insertInto("service")
    .values({ id: 1, seal_check: null, initialized_at: null })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
  await tx
    .updateTable("service")
    .set({ seal_check: seal.seal("parley", "service") })
    .where("id", "=", 1)
    .where("seal_check", "is", null)
    .execute();
  const row = await tx
    .selectFrom("service")
    .select("seal_check")
    .where("id", "=", 1)
    .executeTakeFirstOrThrow();
  try {
    seal.open(row.seal_check ?? "", "service");
  } catch {
    throw new SealError(
      `${seal.source} does not open what is stored in the database: give the key that it was begun with.`,
    );
  }
};

const makeSeal = (hexKey: string, source: string): Seal => {
  const key = Buffer.from(hexKey, "hex");
  return {
    source,
    seal(text, context) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([
        cipher.update(text, "utf8"),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
      return [version, nonce.toString("base64url"), sealed.toString("base64url")].join(".");
    },
    open(sealed, context) {
      const [form, nonce = "", body = "", ...more] = sealed.split(".");
      const bytes = Buffer.from(body, "base64url");
      if (form !== version || more.length > 0 || bytes.length < 16)
        throw new SealError("This is not a sealed text.");
      try {
        const decipher = createDecipheriv(algorithm, key, Buffer.from(nonce, "base64url"), {
          authTagLength: 16,
        });
        decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-16));
        return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString(
          "utf8",
        );
      } catch {
        throw new SealError("The sealed text does not open with this key.");
      }
    },
  };
};

const readKey = async (path: string): Promise<string | undefined> =>
  (await readFile(path, "utf8").catch(ignoring("ENOENT")))?.trim();

/** When two processes start at once, one of them makes the key, and no reader sees half of it. */
const createKey = async (folder: string, path: string): Promise<string> => {
  await makeFolder(folder);
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    await writeFile(draft, `${randomBytes(32).toString("hex")}\n`, { flag: "wx", mode: 0o600 });
    // Letters sealed with a key that a power failure takes away could never be opened again.
    await putInPlace(draft, path, false);
  } catch (error) {
    await unlink(draft).catch(ignoring("ENOENT"));
    if (!(error instanceof FileExists)) throw error;
  }
  return (await readKey(path)) ?? "";
};
