import { createInterface } from "node:readline";
import type { Database } from "../db/open.ts";
import { CommandError, cliCommand } from "./command.ts";
import { withOrganization } from "./database.ts";
import { explain } from "./explain.ts";
import { printableLines } from "./printable.ts";
import { showProgress } from "./progress.ts";

/** Asks on standard error, and reads a line from standard input. */
const ask = async (question: string): Promise<string> => {
  process.stderr.write(printableLines(question));
  const lines = createInterface({ input: process.stdin });
  try {
    const { value } = await lines[Symbol.asyncIterator]().next();
    return typeof value === "string" ? value.trim() : "";
  } finally {
    lines.close();
  }
};

const counted = (count: number, one: string, many: string): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

const STORE_AWAY =
  "The store of its recordings does not answer: their files are erased when it does, by the service.";

/** Leaves nothing in SQLite's file either. @returns why something may still be in it, or null */
const rewritten = async (database: Database): Promise<string | null> => {
  try {
    await database.rewrite();
    return null;
  } catch (error) {
    return `Parts of it may stay in the database file, which could not be written again: ${explain(error)}`;
  }
};

export const orgDelete = cliCommand({
  name: "org delete",
  arguments: ["ORG"],
  options: { yes: { type: "boolean", meaning: "Delete without asking." } },
  summary: "Delete an organization with everything in it.",
  details:
    "Shows what will be deleted and asks for the name of the organization. Its people are signed out,\nand their email addresses are free again. Only a backup can restore it. Run org export first if\nanybody may need the data. The service may run meanwhile. SQLite's file is rewritten at the\nend, which needs twice its size on the disk; changes wait for it. After an interruption, run it\nagain.",
  examples: ["org delete Acme", "org delete Acme --yes --json"],
  async run({ arguments: [org], options: { yes }, ...called }) {
    const { deleteOrganization, holdingsOf } = await import("../organizations/delete.ts");
    const { removeOver } = await import("../mail/tidy.ts");
    const { eraseDue } = await import("../recordings/erase.ts");
    const { openStores } = await import("../recordings/stores.ts");
    return withOrganization(called, org, async (organization, row, { database, config }) => {
      const holdings = await holdingsOf(organization);
      const what = [
        counted(holdings.rooms, "room", "rooms"),
        counted(holdings.users, "person", "people"),
        counted(holdings.access_keys, "access key", "access keys"),
        counted(holdings.letters, "email", "emails"),
        counted(holdings.recordings, "recording", "recordings"),
        counted(holdings.meetings, "meeting", "meetings"),
        counted(holdings.webhooks, "webhook", "webhooks"),
        counted(holdings.history, "entry of the history", "entries of the history"),
      ].join(", ");
      if (!yes) {
        if (called.json) throw new CommandError("With --json, --yes is needed as well.");
        const name = await ask(
          `"${row.name}" goes for good, with ${what}.\nType its name to delete it: `,
        );
        if (name !== row.name) {
          throw new CommandError(`Nothing is deleted: that is not the name "${row.name}".`);
        }
      }
      const progress = showProgress("rows");
      const { access_keys: accessKeys, ...others } = holdings;
      const { rooms, users, letters, history } = holdings;
      const total = rooms + users + accessKeys + letters + history;
      await deleteOrganization(organization, (gone) => progress(Math.min(gone, total), total));
      await removeOver(database, config, () => false);
      const waiting = await eraseDue(database, openStores(config), { warn: () => {} });
      const remains = await rewritten(database);
      return {
        value: {
          deleted: true,
          id: row.id,
          name: row.name,
          accessKeys,
          ...others,
          remains,
        },
        text: [
          `"${row.name}" is deleted, with ${what}.`,
          ...(waiting > 0 ? [STORE_AWAY] : []),
          ...(remains === null ? [] : [remains]),
        ].join("\n"),
      };
    });
  },
});
