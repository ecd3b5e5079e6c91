import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { livekitConfig } from "../../server/media/livekit-config.ts";
import { freeTcpPort, freeUdpPort } from "../../server/media/ports.ts";
import { until } from "../media/world.ts";
import { enginePath, noEngine } from "../run/engine.ts";
import { noStrace } from "./strace.ts";

const skip = { skip: noEngine || noStrace };
const key = { key: "parley", secret: "0123456789abcdef".repeat(4) };

/** The hosts that LiveKit sends anything to from its start until it answers, and in its end. */
const hostsAsked = async (
  t: TestContext,
  configure: (ports: { http: number; udp: number; tcp: "off" }) => string,
): Promise<string[]> => {
  const folder = await mkdtemp(join(tmpdir(), "parley-strace-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const calls = join(folder, "calls");
  const ports = { http: await freeTcpPort(), udp: await freeUdpPort(), tcp: "off" } as const;
  const child = spawn(
    "strace",
    [
      "-D",
      "-f",
      "-qq",
      "-s",
      "64",
      "-e",
      "trace=connect,sendto,sendmsg,sendmmsg",
      "-o",
      calls,
      enginePath,
    ],
    { env: { PATH: process.env.PATH, LIVEKIT_CONFIG: configure(ports) }, stdio: "ignore" },
  );
  const ended = once(child, "exit");
  const answers = () =>
    fetch(`http://127.0.0.1:${ports.http}/`).then(
      ({ status }) => status === 200,
      () => false,
    );
  // One that asks somebody may not get ready where nobody can be reached; it has asked by then.
  await until(async () => (await answers()) || child.exitCode !== null);
  // Its first signal may come too early to count.
  const asking = setInterval(() => child.kill("SIGTERM"), 250);
  await ended;
  clearInterval(asking);
  const text = await readFile(calls, "utf8");
  const found = text.matchAll(/sin6?_port=htons\((\d+)\).*?"([0-9a-fA-F:.]+)"/g);
  return [...found]
    .map(([, port, host]) => `${host}:${port}`)
    .filter((to) => !/^(127\.|::1:|::ffff:127\.)/.test(to));
};

test(
  "the engine asks no foreign host for anything, whatever its address is set to",
  skip,
  async (t) => {
    for (const address of [undefined, "127.0.0.1", "203.0.113.1"]) {
      const asked = await hostsAsked(t, (ports) =>
        livekitConfig({ address, stunUrls: [] }, ports, key),
      );
      assert.deepEqual(asked, [], `MEDIA_ADDRESS ${address}`);
    }
  },
);

test(
  "what watches it does see the engine ask, where it is told to find its address",
  skip,
  async (t) => {
    // A documentation address (RFC 5737): nobody is asked who could answer.
    const asked = await hostsAsked(t, (ports) =>
      livekitConfig({ address: "auto", stunUrls: ["stun:203.0.113.1:3478"] }, ports, key),
    );
    assert.ok(asked.includes("203.0.113.1:3478"), asked.join());
  },
);
