// Runs: sqlite

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { buildConsole } from "../../console/build.ts";
import { createClient } from "../../contract/client.ts";
import { openSocket } from "../meetings/inside.ts";
import { decode, PATIENCE, probe } from "../recordings/files.ts";
import { findChromium } from "../run/programs.ts";
import { freePort } from "../world/free-port.ts";
import { until } from "../world/process.ts";
import { complete } from "../world/seed.ts";
import { startUnit, withoutSystemd } from "./systemd.ts";

const deploy = fileURLToPath(new URL("../../deploy", import.meta.url));

/** Ten times what `systemd-analyze security` calls the exposure, of at most 100. */
const MOST_EXPOSED = 25;

const analyze = (unit: string) =>
  spawnSync(
    "systemd-analyze",
    ["security", "--offline=true", `--threshold=${MOST_EXPOSED}`, "--no-pager", unit],
    { encoding: "utf8" },
  );

const withoutAnalysis =
  spawnSync("systemd-analyze", ["--version"]).status === 0
    ? false
    : "systemd-analyze is not installed";

for (const unit of globSync("*.service", { cwd: deploy })) {
  test(`${unit} is exposed by at most 2.5 of 10`, { skip: withoutAnalysis }, () => {
    const { status, stdout, stderr } = analyze(join(deploy, unit));
    assert.equal(status, 0, stdout.split("\n").slice(-3).join("\n") + stderr);
  });
}

/** Starting systemd and recording cost half a minute. */
const skip = complete ? withoutSystemd() : "complete runs start the unit";

test("under the units the service starts, records a meeting and is backed up", {
  skip,
}, async (t) => {
  await buildConsole();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const admin = { email: "admin@example.org", password: "the quiet harbour at dawn" };
  const { data, backups, run } = await startUnit(t, {
    PORT: String(port),
    BACKUP_TO: "/var/backups/parley",
    PARLEY_ADMIN_EMAIL: admin.email,
    PARLEY_ADMIN_PASSWORD: `'${admin.password}'`,
    CHROMIUM: findChromium() ?? "",
  });
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until("the unit's service answers", isReady);
  const { token, user } = await createClient({ baseUrl: url }).signIn({
    login: admin.email,
    password: admin.password,
  });
  const client = createClient({ baseUrl: url, token });
  const { roomSetting } = await client.createRoom({
    name: "Board",
    roomOwnerId: user.id,
    roomType: "p2p",
    noOfParticipants: 1,
    enableRecording: true,
    recordModerator: true,
    recordingFormat: "mp4",
    recordingResolutions: ["480p"],
  });
  const roomId = roomSetting.room;
  const { ticket } = await client.joinRoom({ roomId, peerName: "Ada" });
  await openSocket(t, url, { ticket });
  await client.startRecording({ roomId });
  const newest = async () => (await client.listRecordings({ roomId })).recordings[0];
  const becomes = (state: string) =>
    until(
      `it is ${state}`,
      async () => {
        const now = await newest();
        if (now?.state === "failed") throw new Error(`it failed: ${now.error}`);
        return now?.state === state;
      },
      PATIENCE,
    );
  await becomes("active");
  const segments = () => globSync("recordings/**/*.m4s", { cwd: data }).length;
  await until("something is recorded", async () => segments() > 1, PATIENCE);
  await client.stopRecording({ roomId });
  await becomes("ready");
  const [file = ""] = globSync("recordings/**/*.mp4", { cwd: data });
  assert.ok((await probe(join(data, file))).seconds > 3);
  assert.equal(await decode(join(data, file)), "");
  assert.equal(await run("parley-backup.service"), "");
  assert.equal(globSync("parley-*.db", { cwd: backups }).length, 1);
  assert.equal(globSync("parley-*.verified.json", { cwd: backups }).length, 1);
});
