// Runs: sqlite, pictures, complete
// Needs: browser

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { devNull } from "node:os";
import { after, test } from "node:test";
import { askStun } from "../../server/media/stun.ts";
import { withoutTurn } from "../run/programs.ts";
import { freePort } from "../world/free-port.ts";
import { until } from "../world/process.ts";
import { startMeetings } from "./people.ts";
import { waysOf } from "./ways.ts";

const SECRET = "between-parley-and-coturn";

/** Starts coturn on loopback, configured as its users do. @returns its URLs, by UDP and by TCP */
const startCoturn = async () => {
  const port = await freePort();
  const coturn = spawn(
    "turnserver",
    [
      ...["-n", "--listening-ip=127.0.0.1", "--relay-ip=127.0.0.1", `--listening-port=${port}`],
      ...["--use-auth-secret", `--static-auth-secret=${SECRET}`, "--realm=example.org"],
      ...["--allow-loopback-peers", "--no-tls", "--no-dtls", "--no-cli"],
      ...["--log-file=stdout", `--pidfile=${devNull}`],
    ],
    { stdio: "ignore" },
  );
  after(async () => {
    coturn.kill("SIGKILL");
    if (coturn.exitCode === null) await once(coturn, "exit");
  });
  const urls = ["udp", "tcp"].map((by) => `turn:127.0.0.1:${port}?transport=${by}`);
  for (const url of urls) {
    await until("coturn answers", () =>
      askStun(url).then(
        () => true,
        () => false,
      ),
    );
  }
  return urls;
};

/** Connects only through a relay, over one transport. */
const relayBy = (by: "udp" | "tcp") =>
  `globalThis.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(given) {
      const iceServers = given.iceServers.map((one) =>
        ({ ...one, urls: one.urls.filter((url) => url.endsWith("${by}")) }));
      super({ ...given, iceServers, iceTransportPolicy: "relay" });
    }
  };`;

test("two people who can connect only through coturn meet, one by UDP and one by TCP", {
  skip: withoutTurn(),
}, async () => {
  const urls = await startCoturn();
  const { room, enter } = await startMeetings({ TURN_URLS: urls.join(), TURN_SECRET: SECRET });
  const { path } = await room();
  const ada = await enter(path, "Ada", { asAdministrator: true, script: relayBy("udp") });
  const ben = await enter(path, "Ben", { script: relayBy("tcp") });
  await Promise.all([ada, ben].map((one) => one.receivesOnly({ video: 1, audio: 1 })));
  assert.deepEqual(new Set(await waysOf(ada)), new Set(["relay relay udp"]));
  assert.deepEqual(new Set(await waysOf(ben)), new Set(["relay relay tcp"]));
});
