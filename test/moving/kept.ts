import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { madeAtOf } from "../../server/backups/manifest.ts";
import { stamp } from "../../server/db/backup/files.ts";
import type { DatabaseConfig } from "../../server/db/place.ts";
import { DAY_MS } from "../../server/lib/durations.ts";
import { recordingsFolder } from "../../server/recordings/folder.ts";
import { opened } from "./rows.ts";

/** A recording of a place that `fill` has filled: its row, and its file in the data folder. */
export const addFilm = async (
  place: DatabaseConfig,
  id: string,
  bytes = 100_000,
): Promise<{ readonly path: string; readonly content: Buffer }> => {
  const content = randomBytes(bytes);
  await opened(place, (database) =>
    database.change(async (tx) => {
      const row = await tx.selectFrom("recordings").selectAll().limit(1).executeTakeFirstOrThrow();
      const files = JSON.stringify([{ name: "480p.mp4", bytes }]);
      await tx
        .insertInto("recordings")
        .values({ ...row, id, bytes, files, stop_asked: false })
        .execute();
    }),
  );
  const path = join(recordingsFolder(place.dataDir), "o1", "r0", id, "480p.mp4");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return { path, content };
};

/** Removes a recording as the service does: the row and the file. */
export const removeFilm = async (place: DatabaseConfig, id: string): Promise<void> => {
  await opened(place, (database) =>
    database.change((tx) => tx.deleteFrom("recordings").where("id", "=", id).execute()),
  );
  rmSync(join(recordingsFolder(place.dataDir), "o1", "r0", id), { recursive: true });
};

/** Makes a backup of a folder older by so many days; returns its new name. */
export const age = (folder: string, name: string, days: number): string => {
  const at = new Date((madeAtOf(name) ?? 0) - days * DAY_MS);
  const older = `parley-${at.toISOString().replace(/[-:.]/g, "")}`;
  for (const file of readdirSync(folder).filter((one) => one.startsWith(`${name}.`))) {
    const content = readFileSync(join(folder, file));
    const isText = /json/.test(file);
    const text = isText ? content.toString("utf8").replaceAll(name, older) : content;
    writeFileSync(join(folder, file.replace(name, older)), text);
    rmSync(join(folder, file));
  }
  return older;
};

/** The name of a backup that would have been made so many days ago. */
export const nameBefore = (days: number): string => {
  const at = new Date((madeAtOf(`parley-${stamp()}`) ?? 0) - days * DAY_MS);
  return `parley-${at.toISOString().replace(/[-:.]/g, "")}`;
};
