import type { Config } from "../config/config.ts";
import { DAY_MS, HOUR_MS } from "../lib/durations.ts";
import { atPlace, damagedAdvice } from "./backup-place.ts";
import { type Check, fault, note, ok } from "./check.ts";
import { checkSpace } from "./check-disk.ts";
import { explain } from "./explain.ts";

const name = "backups";

/** A nightly one may be late once. */
const OLD_MS = 2 * DAY_MS;
const VERIFIED_MS = 35 * DAY_MS;

/** How long ago a time was, in words. */
export const ageOf = (at: number, now = Date.now()): string => {
  const [days, hours] = [Math.floor((now - at) / DAY_MS), Math.floor((now - at) / HOUR_MS)];
  if (days >= 2) return `${days} days`;
  return hours === 1 ? "1 hour" : hours === 0 ? "less than an hour" : `${hours} hours`;
};

/** How old the newest backup is, and the newest one that was verified. */
export const checkBackups = async (config: Config): Promise<Check> => {
  if (config.backup.to === undefined) {
    return note(
      name,
      "BACKUP_TO is not set: nobody looks whether there are backups.",
      'Set BACKUP_TO to a folder or s3://BUCKET/PREFIX, and run "parley backup" every night (deploy/parley-backup.timer).',
    );
  }
  const { openBackupPlace } = await import("../backups/place.ts");
  const { madeAtOf } = await import("../backups/manifest.ts");
  const { shelfState } = await import("../backups/shelf.ts");
  try {
    const place = await openBackupPlace(config, config.backup.to);
    const { newest, verified, damaged } = await atPlace(place.shown, async () => {
      await place.check();
      return shelfState(place);
    });
    const [broken] = damaged;
    if (broken !== undefined) return fault(name, broken.what, damagedAdvice(place.shown, broken));
    if ("folder" in config.backup.to) {
      const space = await checkSpace(config.backup.to.folder, "BACKUP_TO");
      if (space.status === "fault") return { ...space, name };
    }
    if (newest === undefined) {
      const advice = '"parley backup" makes one; deploy/parley-backup.timer makes one every night.';
      return fault(name, `There is none in ${place.shown} yet.`, advice);
    }
    const made = madeAtOf(newest) ?? 0;
    if (made - Date.now() > HOUR_MS) {
      return fault(
        name,
        `${newest} in ${place.shown} is of the future: a clock was wrong when it was made, or this one is.`,
        "Set this machine's clock, then remove the files of that backup: the latest is found by its name.",
      );
    }
    const newestIs = `the newest in ${place.shown} is ${ageOf(made)} old`;
    if (Date.now() - made > OLD_MS) {
      return fault(name, `${newestIs}.`, 'See why "parley backup" does not run every night.');
    }
    if (verified === undefined) {
      return note(name, `${newestIs}; none was verified.`, '"parley backup verify" restores one.');
    }
    const verifiedAt = Date.parse(verified.at);
    const checked = `${newestIs}; ${verified.name} was verified ${ageOf(verifiedAt)} ago`;
    return Date.now() - verifiedAt > VERIFIED_MS
      ? note(name, `${checked}.`, '"parley backup verify" restores the newest.')
      : ok(name, checked);
  } catch (error) {
    return fault(name, explain(error), "Check BACKUP_TO and the settings BACKUP_S3_*.");
  }
};
