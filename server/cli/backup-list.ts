import { atPlace, damagedLine, fromOption, openNamedPlace } from "./backup-place.ts";
import { cliCommand } from "./command.ts";
import { configurationOf } from "./environment.ts";
import { table } from "./table.ts";

export const backupList = cliCommand({
  name: "backup list",
  arguments: [],
  options: { from: fromOption },
  summary: "List the backups in a folder or a bucket, the newest first.",
  details:
    "Only whole backups: one that was interrupted is not in the list. Damaged ones are named below it.",
  examples: ["backup list", "backup list --from s3://backups/parley --json"],
  async run({ options: { from }, ...called }) {
    const config = configurationOf(called);
    const { listBackups } = await import("../backups/shelf.ts");
    const place = await openNamedPlace(config, from, "--from PLACE");
    const { backups, damaged } = await atPlace(place.shown, () => listBackups(place));
    const rows = backups.map(({ name, bytes, recordings, verifiedAt }) => [
      name,
      Math.ceil(bytes / 1_000).toLocaleString("en"),
      recordings === null ? "-" : recordings.toLocaleString("en"),
      verifiedAt ?? "-",
    ]);
    const heading = ["NAME", "KB", "RECORDINGS", "VERIFIED"];
    return {
      value: { place: place.shown, backups, damaged },
      text: [
        table(heading, rows, `There is no whole backup in ${place.shown} yet.`),
        ...damaged.map((one) => damagedLine(place.shown, one)),
      ].join("\n"),
    };
  },
});
