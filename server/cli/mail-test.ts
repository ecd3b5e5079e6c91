import { CommandError, command, UsageError } from "./command.ts";
import { configurationOf } from "./environment.ts";

export const mailTest = command({
  name: "mail test",
  arguments: ["ADDRESS"],
  options: {},
  summary: "Send a test letter, at once and past the queue.",
  details: "Without SMTP_URL it is written to the folder for letters, as all letters are.",
  examples: ["mail test ann@example.org"],
  async run({ arguments: [address], ...called }) {
    const { parseAddress } = await import("../config-values.ts");
    if (parseAddress(address) === undefined) {
      throw new UsageError(`${JSON.stringify(address)} is no email address.`);
    }
    const config = configurationOf(called);
    const { testDelivery } = await import("../mail/check.ts");
    const { target, problem } = await testDelivery(config, address);
    if (problem !== null) {
      throw new CommandError(`${target} did not take the letter: ${problem} Check SMTP_URL.`);
    }
    return {
      value: { address, target, delivered: true },
      text:
        config.smtp === undefined
          ? `The letter to ${address} is in ${target}. Set SMTP_URL to have letters sent.`
          : `${target} took the letter to ${address}.`,
    };
  },
});
