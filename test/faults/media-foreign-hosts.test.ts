// Runs: sqlite, complete, waits
// Needs: media-engine, strace

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { createClient } from "../../contract/client.ts";
import { livekitConfig } from "../../server/media/livekit-config.ts";
import { freeTcpPort, freeUdpPort } from "../../server/media/ports.ts";
import { patientFetch } from "../console/service.ts";
import { until } from "../media/world.ts";
import { connectMedia } from "../meetings/engine.ts";
import { enginePath, noEngine } from "../run/engine.ts";
import { testTwin } from "../twins/test-twin.ts";
import { openHouse } from "../world/house.ts";
import { startProcess } from "../world/process.ts";
import { noStrace } from "./strace.ts";

const skip = { skip: noEngine || noStrace };
const key = { key: "parley", secret: "0123456789abcdef".repeat(4) };

/** The system calls with which a program reaches another host. */
const SENDING = "connect,sendto,sendmsg,sendmmsg";

/** The hosts to which LiveKit sends anything between its start and its end. */
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
    ["-D", "-f", "-qq", "-s", "64", "-e", `trace=${SENDING}`, "-o", calls, enginePath],
    { env: { PATH: process.env.PATH, LIVEKIT_CONFIG: configure(ports) }, stdio: "ignore" },
  );
  const ended = once(child, "exit");
  const answers = () =>
    fetch(`http://127.0.0.1:${ports.http}/`).then(
      ({ status }) => status === 200,
      () => false,
    );
  // An engine that queries a host may never be ready where nobody can be reached, but it has queried by then.
  await until(async () => (await answers()) || child.exitCode !== null);
  // The first signal may arrive before the process handles it.
  const asking = setInterval(() => child.kill("SIGTERM"), 250);
  await ended;
  clearInterval(asking);
  return foreignIn(await readFile(calls, "utf8"));
};

/** The hosts, other than this machine, in the output of strace. */
const foreignIn = (calls: string): string[] => {
  const found = calls.matchAll(/sin6?_port=htons\((\d+)\).*?"([0-9a-fA-F:.]+)"/g);
  return [...found]
    .map(([, port, host]) => `${host}:${port}`)
    .filter((to) => !/^(127\.|::1:|::ffff:127\.)/.test(to));
};

test("the engine contacts no foreign host, whatever its address setting", skip, async (t) => {
  const turn = { port: await freeUdpPort(), from: 30_000, to: 30_099 };
  for (const address of [undefined, "127.0.0.1", "203.0.113.1"]) {
    const own = address?.startsWith("127.") ? { turn: { ...turn, address } } : {};
    const asked = await hostsAsked(t, (ports) =>
      livekitConfig({ address, stunUrls: [], ...own }, ports, key),
    );
    assert.deepEqual(asked, [], `MEDIA_ADDRESS ${address}`);
  }
});

testTwin(
  "an engine that is set to find its address through a foreign host is detected",
  async (t) => {
    // A documentation address (RFC 5737): no real host is queried.
    const asked = await hostsAsked(t, (ports) =>
      livekitConfig({ address: "auto", stunUrls: ["stun:203.0.113.1:3478"] }, ports, key),
    );
    assert.ok(asked.includes("203.0.113.1:3478"), asked.join());
  },
  { ...skip, onSqlite: true },
);

test("a service with a running meeting contacts no foreign host", skip, async (t) => {
  const admin = { email: "admin@example.org", password: "the quiet harbour at dawn" };
  const { environment } = await openHouse(t, {
    environment: {
      LIVEKIT_SERVER: enginePath,
      MEDIA_ADDRESS: "127.0.0.1",
      PARLEY_ADMIN_EMAIL: admin.email,
      PARLEY_ADMIN_PASSWORD: admin.password,
    },
  });
  const calls = join(environment.DATA_DIR ?? "", "calls");
  const under = ["strace", "-D", "-f", "-qq", "-s", "64", "-e", `trace=${SENDING}`, "-o", calls];
  const service = await startProcess(t, environment, { under });
  const open = createClient({ baseUrl: service.url, fetch: patientFetch });
  const { token, user } = await open.signIn({ login: admin.email, password: admin.password });
  const client = createClient({ baseUrl: service.url, fetch: patientFetch, token });
  const { roomSetting } = await client.createRoom({ name: "R", roomOwnerId: user.id });
  const { room: roomId } = roomSetting;
  const { ticket } = await until(() => client.joinRoom({ roomId }).catch(() => undefined));
  const media = await connectMedia(service.url, ticket);
  await media.next("join");
  media.socket.close();
  await client.closeRoom({ roomId });
  assert.deepEqual(await service.end(), { code: 0, signal: null });
  const text = await readFile(calls, "utf8");
  assert.match(text, /htons/, "what it sends is seen");
  assert.deepEqual(foreignIn(text), []);
});
