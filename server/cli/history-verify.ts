import { CommandError, command } from "./command.ts";
import { withOrganization } from "./database.ts";

export const historyVerify = command({
  name: "history verify",
  arguments: ["ORG"],
  options: {},
  summary: "Find removed or altered entries in an organization's history.",
  details:
    "Each entry carries a digest over itself and the one before. Keep the digest that is printed in\nanother place: it shows later that nothing before it was rewritten. Ends with 1 at a break.",
  examples: ["history verify Acme", "history verify Acme --json"],
  async run({ arguments: [org], ...called }) {
    const { verifyHistory } = await import("../history/verify.ts");
    const found = await withOrganization(called, org, verifyHistory);
    const { entries, erased, before: removed, digest, broken } = found;
    if (broken !== null) {
      throw new CommandError(
        `The history is broken at entry ${broken.number}: ${broken.what}. ${entries} entries before it hold.`,
      );
    }
    const old = removed === 0 ? "" : ` (the first ${removed} were removed because of their age)`;
    const told = erased === 0 ? "" : `; of ${erased} the personal data is erased`;
    return {
      value: { entries, erased, removed, digest },
      text: `The history holds: ${entries} entries${old}${told}.\nLast digest: ${digest}`,
    };
  },
});
