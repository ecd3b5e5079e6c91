import { characters } from "../../contract/kit/accepted.ts";
import { CommandError, cliCommand } from "./command.ts";
import { withOrganization } from "./database.ts";

export const historyVerify = cliCommand({
  name: "history verify",
  arguments: ["ORG"],
  options: {
    digest: {
      type: "string",
      value: "DIGEST",
      meaning: "A digest from an earlier run; it must still be in the chain.",
      accepts: characters({ from: 64, to: 64, of: "hexadecimal digits", each: /[0-9a-f]/ }),
    },
  },
  summary: "Find removed or altered entries in an organization's history.",
  details:
    "Each entry carries a digest over itself and the one before. Keep the printed digest in another\nplace: with --digest it later proves that nothing before it was rewritten. Exit code 1 at a\nbreak, or if the chain lacks that digest.",
  examples: [
    "history verify Acme",
    "history verify Acme --digest 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "history verify Acme --json",
  ],
  async run({ arguments: [org], options: { digest: kept }, ...called }) {
    const { verifyHistory } = await import("../history/verify.ts");
    const found = await withOrganization(called, org, (organization) =>
      verifyHistory(organization, kept),
    );
    const { entries, erased, before: removed, digest, broken } = found;
    if (broken !== null) {
      throw new CommandError(
        `The history is broken at entry ${broken.number}: ${broken.what}. ${entries} entries before it hold.`,
      );
    }
    if (!found.hasKept) {
      throw new CommandError(
        `The chain has no entry with the digest ${kept}: what it covers was rewritten, or is of another organization${removed === 0 ? "" : `, or was among the first ${removed} entries, which were removed because of their age`}.`,
      );
    }
    const old = removed === 0 ? "" : ` (the first ${removed} were removed because of their age)`;
    const erasures = erased === 0 ? "" : `; of ${erased} the personal data is erased`;
    return {
      value: { entries, erased, removed, digest },
      text: `The history holds: ${entries} entries${old}${erasures}.\nLast digest: ${digest}`,
    };
  },
});
