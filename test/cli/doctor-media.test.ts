// Runs: sqlite
// Needs: media-engine

import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pino } from "pino";
import { openEmbeddedTurn } from "../../server/media/embedded-turn.ts";
import { freeTcpPort, freeUdpPort } from "../../server/media/ports.ts";
import { type Environment, environmentOf, outcome } from "./run.ts";

test("doctor checks STUN and TURN servers, and says which ones do not answer", async (t) => {
  const port = await freeUdpPort();
  const dataDir = await mkdtemp(join(tmpdir(), "parley-doctor-"));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const ports = { address: "127.0.0.1", port, from: 30_000, to: 30_099 };
  const turn = await openEmbeddedTurn(ports, "secret", pino({ level: "silent" }));
  t.after(turn.stop);
  const other = createServer((socket) => socket.end("220 mail.example.org\r\n"));
  other.listen(0, "127.0.0.1");
  await once(other, "listening");
  t.after(() => other.close());
  const env = environmentOf({ databaseUrl: undefined, dataDir });
  const saidOfServers = async (more: Environment): Promise<string[]> => {
    const { out } = await outcome({ ...env, RECORDERS: "0", ...more }, "doctor");
    const checks: { name: string; status: string; found: string }[] = JSON.parse(out).checks;
    return checks
      .filter(({ name }) => / server$/.test(name) && name !== "mail server")
      .map(({ name, status, found }) => `${name}: ${status}: ${found}`);
  };

  const closed = await freeTcpPort();
  const [stun, deaf, there, away, mail] = await saidOfServers({
    STUN_URLS: `stun:127.0.0.1:${port},stun:127.0.0.1:${await freeUdpPort()}`,
    TURN_URLS: [
      `turn:127.0.0.1:${port}?transport=udp`,
      `turn:127.0.0.1:${closed}?transport=tcp`,
      `turn:127.0.0.1:${(other.address() as AddressInfo).port}?transport=tcp`,
    ].join(),
    TURN_SECRET: "between-the-two",
  });
  assert.equal(stun, `STUN server: ok: stun:127.0.0.1:${port} answers this machine`);
  assert.match(deaf ?? "", /^STUN server: fault: .*ECONNREFUSED/);
  assert.match(there ?? "", /^TURN server: ok: .* answers this machine$/);
  assert.match(away ?? "", /^TURN server: fault: .*ECONNREFUSED/);
  assert.match(mail ?? "", /^TURN server: fault: .* is no STUN server\.$/);

  const own = { TURN: "embedded", MEDIA_ADDRESS: "127.0.0.1" };
  const [embedded = ""] = await saidOfServers({ ...own, TURN_PORT: String(port) });
  assert.match(embedded, /^TURN server: ok: Parley's own, .*; it answers this machine$/);
  const free = { ...own, TURN_PORT: String(await freeUdpPort()) };
  const [stopped = ""] = await saidOfServers(free);
  assert.match(stopped, /^TURN server: ok: Parley's own, UDP \d+ of 127\.0\.0\.1$/);
});
