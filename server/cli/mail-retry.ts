import { cliCommand } from "./command.ts";
import { withDatabase } from "./database.ts";

export const mailRetry = cliCommand({
  name: "mail retry",
  arguments: [],
  options: {},
  summary: "Try all refused emails again, in every organization.",
  details:
    "Run it after a fault of the mail server or the sender is fixed. Emails whose content is gone or\nout of date stay as they are. The service sends the others within seconds.",
  examples: ["mail retry"],
  async run(called) {
    const { retryLetters } = await import("../mail/outbox.ts");
    const { openOrganization, operator } = await import("../change/organization.ts");
    const retried = await withDatabase(called, async ({ database }) => {
      const organizations = await database.read
        .selectFrom("letters")
        .select("organization_id")
        .distinct()
        .where("state", "=", "refused")
        .execute();
      let sum = 0;
      for (const { organization_id: id } of organizations) {
        sum += await openOrganization(database, id, operator).change(retryLetters);
      }
      return sum;
    });
    return {
      value: { retried },
      text: `${retried} ${retried === 1 ? "email is" : "emails are"} tried again.`,
    };
  },
});
