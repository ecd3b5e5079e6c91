import { DamagedBackup } from "../db/errors.ts";
import { DAY_MS } from "../lib/durations.ts";
import { backupOf, filesOfBackup, type ListedFile, madeAtOf } from "./manifest.ts";
import type { BackupPlace } from "./place.ts";
import { filmsOf, readShelf, wholeBackups } from "./shelf.ts";

/** How many backups are kept: the last ones, and the last of each of so many days, weeks and months. */
export interface KeepRule {
  readonly last?: number | undefined;
  readonly daily?: number | undefined;
  readonly weekly?: number | undefined;
  readonly monthly?: number | undefined;
}

const WEEK_DAYS = 7;
/** 1970-01-01 was a Thursday: weeks begin on Mondays. */
const THURSDAY = 3;

/** The number of the day, week or month of a time, in UTC. */
const periods: Readonly<Record<keyof KeepRule, (at: number) => number>> = {
  last: (at) => at,
  daily: (at) => Math.floor(at / DAY_MS),
  weekly: (at) => Math.floor((Math.floor(at / DAY_MS) + THURSDAY) / WEEK_DAYS),
  monthly: (at) => new Date(at).getUTCFullYear() * 12 + new Date(at).getUTCMonth(),
};

/** The backups that a rule keeps, of names with the newest first; always the newest. */
export const keptBy = (rule: KeepRule, names: readonly string[]): ReadonlySet<string> => {
  const kept = new Set(names.slice(0, 1));
  for (const [kind, periodOf] of Object.entries(periods)) {
    const seen = new Set<number>();
    for (const name of names) {
      const period = periodOf(madeAtOf(name) ?? 0);
      if (seen.has(period) || seen.size >= (rule[kind as keyof KeepRule] ?? 0)) continue;
      seen.add(period);
      kept.add(name);
    }
  }
  return kept;
};

/**
 * Removes the backups that a rule does not keep, and what killed ones left more than a day ago.
 * Keeps the newest whole backup and the newest verified one whatever the rule says, and every file
 * that no backup has made. A damaged one takes the place of no other. While a list of recordings is
 * damaged, no file of a recording is removed: the list may have named it.
 *
 * @param made the backup that was just made, which stays whatever its name says: the clock may have been wrong
 * @returns the names of the removed backups, and the damaged lists
 * @throws StoreAway
 */
export const removeOld = async (
  place: BackupPlace,
  rule: KeepRule,
  made: string,
): Promise<{ readonly removed: string[]; readonly damagedLists: string[] }> => {
  const sizes = await place.names();
  const whole = wholeBackups(sizes);
  const good = (await readShelf(place, sizes)).whole.map(({ name }) => name);
  const verified = good.find((name) => sizes.has(filesOfBackup(name).mark));
  const kept = new Set([
    made,
    ...keptBy(rule, whole),
    ...keptBy(rule, good),
    ...(verified === undefined ? [] : [verified]),
  ]);
  const all = [...new Set([...sizes.keys()].map(backupOf))].filter((name) => name !== undefined);
  // One without a manifest may be in the making.
  const isOld = (name: string): boolean => Date.now() - (madeAtOf(name) ?? 0) > DAY_MS;
  const gone = all.filter((name) => (whole.includes(name) ? !kept.has(name) : isOld(name)));
  const damagedLists: string[] = [];
  const listOf = async (name: string): Promise<ListedFile[]> => {
    try {
      return await filmsOf(place, name, sizes);
    } catch (error) {
      if (!(error instanceof DamagedBackup)) throw error;
      damagedLists.push(filesOfBackup(name).films);
      return [];
    }
  };
  const filesOf = async (names: readonly string[]): Promise<Set<string>> => {
    const lists = [];
    for (const name of names) lists.push(await listOf(name));
    return new Set(lists.flat().map(({ file }) => file));
  };
  const stays = await filesOf(all.filter((name) => !gone.includes(name)));
  const goes = [...(await filesOf(gone))].filter((file) => !stays.has(file));
  for (const name of gone) {
    const { manifest, mark, database } = filesOfBackup(name);
    // From now on it is not whole.
    for (const file of [manifest, mark, database]) if (sizes.has(file)) await place.remove(file);
  }
  const removed = gone.filter((name) => whole.includes(name));
  if (damagedLists.length > 0) return { removed, damagedLists };
  for (const file of goes) await place.remove(file);
  // Last: until then, the next run finds what is left to remove.
  for (const name of gone) {
    const { films } = filesOfBackup(name);
    if (sizes.has(films)) await place.remove(films);
  }
  return { removed, damagedLists };
};
