import { cliCommand } from "./command.ts";
import { configurationOf } from "./environment.ts";

export const mediaStatus = cliCommand({
  name: "media status",
  arguments: [],
  options: {},
  summary: "Show what carries the media of meetings, and whether it runs.",
  details: "Exit code 1 if an engine is set and does not answer.",
  examples: ["media status", "media status --json"],
  async run(called) {
    const { media, dataDir } = configurationOf(called);
    const { engineStatus } = await import("../media/status.ts");
    const status = await engineStatus(media, dataDir);
    const advice =
      status.engine === "none"
        ? '\nMeetings of up to six people need none. For larger ones run "parley media install".'
        : "";
    return {
      value: status,
      text: status.found + advice,
      failed: status.engine === "cluster" && !status.running,
    };
  },
});
