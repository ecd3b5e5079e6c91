import assert from "node:assert/strict";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { test } from "node:test";
import { freeTcpPort, freeUdpPort } from "../../server/media/ports.ts";
import { ownEngine } from "../media/world.ts";
import { enginePath, noEngine } from "../run/engine.ts";
import { type Environment, environmentOf, outcome } from "./run.ts";

test("doctor checks STUN and TURN servers, and says which ones do not answer", {
  skip: noEngine,
}, async (t) => {
  const port = await freeUdpPort();
  const turn = { address: "127.0.0.1", port, from: 30_000, to: 30_099 };
  const { engine, dataDir } = await ownEngine({ turn });
  t.after(async () => {
    await engine.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  await engine.start();
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
  assert.match(mail ?? "", /^TURN server: fault: .* is no STUN server$/);

  // The running LiveKit of this data folder.
  const own = { LIVEKIT_SERVER: enginePath, TURN: "embedded", TURN_PORT: String(port) };
  const [embedded = ""] = await saidOfServers({ ...own, MEDIA_ADDRESS: "127.0.0.1" });
  assert.match(embedded, /^TURN server: ok: LiveKit's, .*; it answers this machine$/);
});
