import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { putInPlace } from "../lib/durable.ts";
import { makeFolder } from "../lib/folders.ts";
import type { EmailMessage } from "./message.ts";
import type { Outcome } from "./outcome.ts";
import type { Escort } from "./smtp.ts";

/**
 * Writes an email to a file, for installations without a mail server. File names sort by time and
 * depend only on the letter, so writing it twice makes one file. Never throws.
 */
export const deliverToFolder = async (
  folder: string,
  message: EmailMessage,
  escort: Pick<Escort, "mayLeave">,
): Promise<Outcome> => {
  try {
    await makeFolder(folder);
    if (!(await escort.mayLeave())) return { kind: "held" };
    const name = `${message.createdAt.replaceAll(":", "-")}-${message.id}.eml`;
    const draft = join(folder, `.${name}`);
    // A file left by an interrupted try may have another mode.
    await rm(draft, { force: true });
    await writeFile(draft, message.raw, { flag: "wx", mode: 0o600 });
    // Durable, because delivering a letter erases its content from the database.
    await putInPlace(draft, join(folder, name), true);
    return { kind: "sent" };
  } catch (error) {
    return unwritable(error);
  }
};

/** The outcome if the folder takes no file. */
export const unwritable = (error: unknown): Outcome & { readonly kind: "failed" } => {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
  return {
    kind: "failed",
    error: `The email cannot be written to the folder for emails (${code}).`,
  };
};
