import { writeSync } from "node:fs";
import { Session } from "node:inspector/promises";
import type { FirstStart } from "../organizations/first-start.ts";
import { addressesOf, exposedWithoutAddress, HTTPS_ADVICE, withoutCamera } from "./addresses.ts";
import { cliCommand } from "./command.ts";
import { installationOf, installationSettings } from "./environment.ts";
import { giveToOwner } from "./give-to-owner.ts";
import { addressLines, firstStartLines, firstStartValue, startTexts } from "./start-block.ts";

/**
 * Gives memory that is no longer used back to the system, once: V8 collects such garbage only when there is more of
 * it. Takes about a tenth of a second, in which nothing else runs.
 */
const collectGarbage = async (): Promise<void> => {
  const session = new Session();
  session.connect();
  await session.post("HeapProfiler.collectGarbage");
  session.disconnect();
};

/** Shows people the progress of long steps. With --json, standard error is for errors only. */
const teller =
  (json: boolean) =>
  (line: string): void => {
    if (!json) process.stderr.write(`${line}\n`);
  };

/** When the memory that only the start needed is given back: after the first answers. */
const COLLECT_MS = 500;

/** Returns whether a line is the name of a migration. */
const isMigration = (line: string): boolean => /^\d{4}-/.test(line);

export const start = cliCommand({
  name: "start",
  arguments: [],
  options: {},
  summary: "Start the service.",
  details:
    "The first start makes an organization, its administrator and an access key, and shows them once.\nSIGTERM, SIGINT, SIGHUP and SIGQUIT end it when running requests are answered;\na second signal ends it at once.\nWith --json the log goes to standard error, without progress.",
  examples: ["start", "start --json"],
  async run({ json, envFile }) {
    const config = await installationOf({ json, envFile });
    const say = teller(json);
    const texts = startTexts(installationSettings({ json, envFile }).environment);
    const { endInOrder } = await import("./end.ts");
    const made: FirstStart[] = [];
    // It is stored and never shown again, so show it even if the service then fails to start.
    const showMade = (): void => {
      const [first] = made;
      if (first === undefined) return;
      const value = JSON.stringify({ firstStart: firstStartValue(first) }, null, 2);
      writeSync(1, `${json ? value : firstStartLines(texts, first).join("\n")}\n`);
    };
    const ending = endInOrder(showMade);
    const { prepareConsole } = await import("./prepare-console.ts");
    const [folder, { startParley }] = await Promise.all([
      prepareConsole(say),
      import("../main.ts"),
    ]);
    try {
      const parley = await startParley(config, {
        ...(folder !== undefined && { console: { folder } }),
        ...(json && { logTo: process.stderr }),
        onBroken: ending.fail,
        onProgress: (line) => say(isMigration(line) ? `Making the tables: ${line}` : line),
        onFirstStart: (first) => made.push(first),
      });
      ending.serves(parley);
      giveToOwner(config.dataDir);
      setTimeout(() => void collectGarbage(), COLLECT_MS).unref();
      const addresses = addressesOf(config, parley.url, folder !== undefined);
      const noCamera = withoutCamera(config);
      const notices = [
        exposedWithoutAddress(config),
        noCamera && `${noCamera} ${HTTPS_ADVICE}`,
      ].filter((notice) => notice !== undefined);
      return {
        value: {
          ...addresses,
          listening: parley.url,
          notices,
          firstStart: made[0] ? firstStartValue(made[0]) : null,
        },
        text: [
          ...made.flatMap((first) => firstStartLines(texts, first)),
          ...addressLines(texts, addresses, notices),
        ].join("\n"),
      };
    } catch (error) {
      showMade();
      throw error;
    }
  },
});
