import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { makeFolder } from "../lib/folders.ts";
import { deliverToFolder, unwritable } from "./folder.ts";
import type { EmailMessage } from "./message.ts";
import type { Outcome } from "./outcome.ts";
import { deliverBySmtp, type Escort, greetServer } from "./smtp.ts";

/** A way to deliver letters: the mail server of SMTP_URL, or a folder. */
export interface LetterDelivery {
  /** The destination of letters. */
  readonly to: "server" | "file";
  /** For people: the mail server's host and port, or the folder. */
  readonly target: string;
  /** Never throws. */
  deliver(message: EmailMessage, escort: Escort): Promise<Outcome>;
  /** Checks whether letters would be accepted now: answers `sent` or the problem. Never throws. */
  probe(signal: AbortSignal): Promise<Outcome>;
}

/** The configured way of delivery. Nothing is opened until it is used. */
export const openDelivery = (config: Pick<Config, "smtp" | "dataDir">): LetterDelivery => {
  const { smtp } = config;
  if (smtp === undefined) return folderDelivery(join(config.dataDir, "mail"));
  return {
    to: "server",
    target: `${smtp.host.includes(":") ? `[${smtp.host}]` : smtp.host}:${smtp.port}`,
    deliver: (message, escort) => deliverBySmtp(smtp, message, escort),
    probe: (signal) => greetServer(smtp, signal),
  };
};

const folderDelivery = (folder: string): LetterDelivery => ({
  to: "file",
  target: folder,
  deliver: (message, escort) => deliverToFolder(folder, message, escort),
  async probe() {
    try {
      await makeFolder(folder);
      await access(folder, constants.W_OK);
      return { kind: "sent" };
    } catch (error) {
      return unwritable(error);
    }
  },
});
