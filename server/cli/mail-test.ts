import { CommandError, cliCommand, UsageError } from "./command.ts";
import { configurationOf } from "./environment.ts";

export const mailTest = cliCommand({
  name: "mail test",
  arguments: ["ADDRESS"],
  options: {},
  summary: "Send a test email, at once and without the queue.",
  details: "Without SMTP_URL it is a file in DATA_DIR/mail, as all emails are.",
  examples: ["mail test ann@example.org"],
  async run({ arguments: [address], ...called }) {
    const { parseAddress } = await import("../config/values.ts");
    if (parseAddress(address) === undefined) {
      throw new UsageError(`${JSON.stringify(address)} is not an email address.`);
    }
    const config = configurationOf(called);
    const { testDelivery } = await import("../mail/check.ts");
    const { target, problem, advice } = await testDelivery(config, address);
    if (problem !== null) {
      throw new CommandError(`${target} did not accept the email: ${problem} ${advice}`);
    }
    return {
      value: { address, target, delivered: true },
      text:
        config.smtp === undefined
          ? `The email to ${address} is in ${target}. Set SMTP_URL to have emails sent.`
          : `${target} accepted the email to ${address}.`,
    };
  },
});
