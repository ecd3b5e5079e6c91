import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chown, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type * as GiveToOwner from "../../server/cli/give-to-owner.ts";
import { testTwin } from "../twins/test-twin.ts";
import { importFrom, type Twin } from "../twins/twin.ts";
import { until } from "../world/process.ts";
import { count } from "../world/seed.ts";

const NOBODY = 65_534;
const FILES = 100;

/** Opens the files in a folder by the folder's name, whatever has that name by then. */
const trustsNames: Twin = {
  name: "trusts names of folders",
  replaced: [
    {
      file: "cli/give-to-owner.ts",
      lines: "const opened = (folder: number): string =>",
      by: `const opened = (folder) =>
          folder === 0 ? byDescriptor(0) : process.getBuiltinModule("node:fs").readlinkSync(byDescriptor(folder));
        const byDescriptor = (folder) =>`,
    },
  ],
};

/** Repeatedly replaces a folder in the data folder with a link to a folder of root, and restores it. */
const SWAP = `
const { renameSync, symlinkSync, unlinkSync } = require("node:fs");
const [folder, away, other] = process.argv.slice(1);
process.on("disconnect", () => process.exit());
const swap = () => {
  for (let n = 0; n < 100; n += 1) {
    renameSync(folder, away);
    symlinkSync(other, folder);
    unlinkSync(folder);
    renameSync(away, folder);
  }
  process.send(100);
  setImmediate(swap);
};
swap();`;

const fill = async (folder: string): Promise<void> => {
  await mkdir(folder);
  for (let n = 0; n < FILES; n += 1) await writeFile(join(folder, `${n}`), "");
};

/** Names change in the data folder while it is given to its owner; nothing elsewhere is given away. */
const staysPut = async (t: TestContext, most: number, twin?: Twin): Promise<void> => {
  const { giveToOwner } = await importFrom<typeof GiveToOwner>(twin, "cli/give-to-owner.ts");
  const place = await mkdtemp(join(tmpdir(), "parley-owner-"));
  t.after(() => rm(place, { recursive: true, force: true, maxRetries: 10 }));
  const [dataDir, roots] = [join(place, "data"), join(place, "roots")];
  await mkdir(dataDir);
  const [folder, away] = [join(dataDir, "mail"), join(dataDir, "away")];
  await fill(folder);
  await fill(roots);
  await chown(dataDir, NOBODY, NOBODY);
  const swapping = spawn(process.execPath, ["-e", SWAP, folder, away, roots], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  t.after(() => swapping.kill("SIGKILL"));
  let swaps = 0;
  swapping.on("message", (more: number) => {
    swaps += more;
  });
  const lost = async (): Promise<number> => {
    const names = await readdir(roots);
    const found = await Promise.all(names.map((name) => stat(join(roots, name))));
    return found.filter(({ uid }) => uid !== 0).length;
  };
  await once(swapping, "message");
  let rounds = 0;
  await until("enough is tried", async () => {
    for (let n = 0; n < 20; n += 1) giveToOwner(dataDir);
    rounds += 20;
    return (swaps > 12 * most && rounds > most) || (await lost()) > 0;
  });
  swapping.disconnect();
  await once(swapping, "exit");
  giveToOwner(dataDir);
  const given = await stat(join(dataDir, "mail", "0"));
  assert.equal(given.uid, NOBODY, "what belongs to the owner is given");
  assert.equal(await lost(), 0, "files elsewhere are given away");
};

const skip =
  (process.getuid?.() !== 0 || !existsSync("/proc/self/fd")) &&
  "needs root, and a system with /proc";

test(
  "root gives away nothing outside the data folder while its folders are renamed and replaced by links",
  { skip },
  (t) => staysPut(t, count(400, 4_000, 100)),
);

testTwin(
  "a twin that trusts the names of folders, and is led astray as root, is detected",
  async (t) => {
    await assert.rejects(staysPut(t, 400, trustsNames), /files elsewhere are given away/);
  },
  { skip, onSqlite: true },
);
