import { mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Message } from "./message.ts";
import type { Outcome } from "./outcome.ts";
import type { Escort } from "./smtp.ts";

/**
 * Writes an email to a file, for installations without a mail server. Names sort by time and depend
 * only on the letter: written twice, it is one file. Never throws.
 */
export const deliverToFolder = async (
  folder: string,
  message: Message,
  escort: Pick<Escort, "mayLeave">,
): Promise<Outcome> => {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (!(await escort.mayLeave())) return { kind: "held" };
    const name = `${message.createdAt.replaceAll(":", "-")}-${message.id}.eml`;
    const draft = join(folder, `.${name}`);
    await writeWhole(draft, message.raw);
    await rename(draft, join(folder, name));
    return { kind: "sent" };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    return {
      kind: "failed",
      error: `The email cannot be written to the folder for emails (${code}).`,
    };
  }
};

const writeWhole = async (path: string, bytes: Buffer): Promise<void> => {
  // The file of an interrupted try may have another mode.
  await rm(path, { force: true });
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(bytes);
    // Once it is delivered, its content is erased from the database.
    await file.sync();
  } finally {
    await file.close();
  }
};
