// Runs: sqlite, complete, waits

import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import type { limits } from "../../server/http/limits.ts";
import { linkOf, openSocket, type Somebody } from "../meetings/inside.ts";
import { testTwin } from "../twins/test-twin.ts";
import { type Replacement, type Twin, withReplaced } from "../twins/twin.ts";
import {
  type CertificateFiles,
  openCertificates,
  servedWith,
  trust,
  withoutOpenssl,
} from "../world/certificates.ts";
import { openHouse } from "../world/house.ts";
import { startProcess, until } from "../world/process.ts";
import { openRaw, type Raw } from "../world/raw.ts";
import { count } from "../world/seed.ts";
import { startWorld } from "../world/world.ts";
import { gauged, readGauges } from "./gauges.ts";

/** The connections that a service accepts (server/http/limits.ts): in a short run a twentieth of them. */
const CONNECTIONS = count(200, 4_000);
/** The connections that one address may hold. */
const SHARE = CONNECTIONS / 2;
const fewer: Replacement = {
  file: "http/limits.ts",
  export: "limits",
  // No handshake is cut meanwhile: only the shares keep places free.
  by: `(real) => ({
    ...real,
    connections: ${CONNECTIONS},
    connectionsOfPeople: 0,
    connectionsOfOne: ${SHARE},
    handshakeMs: 2 ** 31 - 1,
  })`,
};

/** A service that accepts this many connections, and may be a twin. */
const limited = (twin?: Twin): Twin =>
  withReplaced(twin, `${CONNECTIONS} connections at a time`, fewer);

const skip =
  process.platform !== "linux" && "needs many loopback addresses, and a count of open files";

/** Accepts connections until no place is left, whatever address holds them. */
const firstComes: Twin = {
  name: "lets one address hold every connection",
  replaced: [
    {
      file: "http/connections.ts",
      export: "shareConnections",
      by: `() => (server) => {
        server.maxConnections = ${CONNECTIONS + 1};
        return () => {};
      }`,
    },
  ],
};

/** Ends its side of a connection, and waits for the other side. */
const neverDestroys: Twin = {
  name: "waits for a client to hang up",
  replaced: [
    {
      file: "http/limits.ts",
      export: "limits",
      by: (real: typeof limits) => ({ ...real, graceMs: 2 ** 31 - 1 }),
    },
  ],
};

/** Waits for the rest of a handshake. */
const waitsForHello: Twin = {
  name: "waits for handshakes without end",
  replaced: [
    {
      file: "http/limits.ts",
      export: "limits",
      by: (real: typeof limits) => ({ ...real, handshakeMs: 2 ** 31 - 1 }),
    },
  ],
};

/** Does not see a connection before its handshake is complete, and waits for that. */
const countsWhole: Twin = {
  name: "counts connections with a whole handshake only",
  replaced: [
    {
      file: "http/connections.ts",
      lines: 'server.on("connection", (socket: Socket) => {',
      by: 'server.on("secureConnection", (socket: Socket) => {',
    },
  ],
};

/** Few places for requests, and for one address. */
const FEW = 3;
const fewPlaces: Replacement = {
  file: "http/limits.ts",
  export: "limits",
  by: `(real) => ({ ...real, connections: ${FEW}, connectionsOfPeople: ${FEW + 1} })`,
};

/** Gives people in meetings the places of requests. */
const onePool: Twin = {
  name: "counts people in meetings with requests",
  replaced: [
    {
      file: "http/connections.ts",
      lines: "    open -= 1;\n    holder.people",
      by: "    holder.people",
    },
  ],
};

const HEAD = "POST /api/session HTTP/1.1\r\nHost: x\r\n";
const BODY = `${HEAD}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"login":`;
// Several answers: more than the connection takes in.
const LARGE = "GET /docs HTTP/1.1\r\nHost: x\r\n\r\n".repeat(3);

/** The first bytes of a TLS handshake: a record of 512 bytes, with a ClientHello in it. */
const HALF_HELLO = Buffer.from("1603010200010001fc0303", "hex");

/** A client that never hangs up and never completes its handshake; some do not begin it. */
const holdHello = (url: string, number: number, localAddress: string): Raw => {
  const plain = url.replace("https:", "http:");
  const raw = openRaw(plain, { localAddress, allowHalfOpen: true });
  if (number % 3 > 0) raw.socket.write(HALF_HELLO);
  return raw;
};

/** A client that never hangs up: with half a header, half a body, or without reading its answer. */
const holdOne = (url: string, number: number, localAddress: string): Raw => {
  // With TLS, only some of the clients do a handshake.
  if (url.startsWith("https:") && number % 40 !== 0) return holdHello(url, number, localAddress);
  const raw = openRaw(url, { localAddress, allowHalfOpen: true });
  const isReader = number % 20 !== 0;
  if (!isReader) raw.socket.pause();
  raw.send(isReader ? (number % 2 === 0 ? HEAD : BODY) : LARGE);
  return raw;
};

/** Opens very many connections, a hundred at a time. */
const hold = async (url: string, addressOf: (number: number) => string): Promise<Raw[]> => {
  const all: Raw[] = [];
  while (all.length < CONNECTIONS + 100) {
    const some = Array.from({ length: 100 }, (_, n) =>
      holdOne(url, all.length + n, addressOf(all.length + n)),
    );
    all.push(...some);
    await until("they are taken or refused", () =>
      some.every(({ socket }) => socket.destroyed || !socket.connecting),
    );
  }
  return all;
};

/** Sends a request on a new connection from a separate address. */
const ask = async (url: string, path: string, localAddress: string): Promise<string> => {
  const raw = openRaw(url, { localAddress });
  raw.send(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  const said = await raw.wait(/\r\n\r\n/);
  raw.socket.destroy();
  return said.slice(0, 15);
};

const heldPlaces = async (
  t: TestContext,
  addressOf: (number: number) => string,
  { twin, tls }: { readonly twin?: Twin; readonly tls?: CertificateFiles } = {},
): Promise<void> => {
  const environment = { ...gauged, ...(tls && servedWith(tls)) };
  const house = await openHouse(t, { environment });
  const service = await startProcess(t, house.environment, { twin: limited(twin) });
  const before = await readGauges(service.url);
  const all = await hold(service.url, addressOf);
  try {
    for (const path of ["/healthz", "/readyz", "/api/session"]) {
      const expected = path.startsWith("/api") ? "HTTP/1.1 401 Un" : "HTTP/1.1 200 OK";
      for (const from of ["127.0.0.1", "127.0.7.7"]) {
        assert.equal(await ask(service.url, path, from), expected, `${path} from ${from}`);
      }
    }
    const { files } = await readGauges(service.url);
    t.diagnostic(`${files - before.files} files for ${all.length} connections`);
  } finally {
    for (const { socket } of all) socket.destroy();
  }
};

/** This file runs on SQLite only, and so do its twins. */
const onSqlite = { onSqlite: true };

suite("P-OPS-16", { skip }, () => {
  test("one address that takes every connection keeps out neither others, nor itself, nor probes", (t) =>
    heldPlaces(t, () => "127.0.0.1"));

  test("many addresses that take every connection keep nobody out", (t) =>
    heldPlaces(t, (number) => `127.0.${1 + (number % 5)}.1`));

  testTwin(
    "a twin that lets one address hold every connection is detected",
    (t) =>
      assert.rejects(
        heldPlaces(t, () => "127.0.0.1", { twin: firstComes }),
        assert.AssertionError,
      ),
    onSqlite,
  );

  test("one address is limited to its share, and a trusted proxy is not", async (t) => {
    const house = await openHouse(t, { environment: { ...gauged, TRUST_PROXY: "127.0.9.0/24" } });
    const service = await startProcess(t, house.environment, { twin: limited() });
    // Each stays open after an answer: a connection without a request is cut after ten seconds.
    const hold = async (localAddress: string): Promise<Raw[]> => {
      const all: Raw[] = [];
      while (all.length < SHARE + 50) {
        const some = Array.from({ length: 50 }, () => openRaw(service.url, { localAddress }));
        for (const raw of some) raw.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
        await Promise.all(some.map((raw) => raw.wait(/200 OK.*}/s)));
        all.push(...some);
      }
      return all;
    };
    const open = (all: readonly Raw[]) => all.filter(({ socket }) => !socket.destroyed).length;
    const stranger = await hold("127.0.3.1");
    await until("it holds its share", () => open(stranger) === SHARE);
    const proxy = await hold("127.0.9.1");
    assert.ok(open(proxy) > SHARE, `${open(proxy)} connections of a trusted proxy`);
    for (const { socket } of stranger) socket.destroy();
    for (const { socket } of proxy) socket.destroy();
  });

  test("people in meetings take no places of requests, and have a limit of their own", (t) =>
    manyPeople(t));

  testTwin(
    "a twin that counts people in meetings with requests is detected",
    (t) => assert.rejects(manyPeople(t, onePool), /socket hang up/),
    onSqlite,
  );

  const trusted = async (t: TestContext): Promise<CertificateFiles> => {
    const tls = (await openCertificates(t)).make("own");
    await trust(tls);
    return tls;
  };

  test(
    "with TLS, one address that takes every connection with incomplete handshakes keeps nobody out",
    {
      skip: withoutOpenssl,
    },
    async (t) => heldPlaces(t, () => "127.0.0.1", { tls: await trusted(t) }),
  );

  testTwin(
    "a twin that counts only complete handshakes is detected",
    async (t) => {
      const tls = await trusted(t);
      await assert.rejects(
        heldPlaces(t, () => "127.0.0.1", { tls, twin: countsWhole }),
        assert.AssertionError,
      );
    },
    { ...onSqlite, skip: withoutOpenssl },
  );

  test("an incomplete handshake is cut", { skip: withoutOpenssl }, async (t) =>
    cutHello(t, await trusted(t)),
  );

  testTwin(
    "a twin that waits for incomplete handshakes is detected",
    async (t) => {
      const tls = await trusted(t);
      await assert.rejects(
        cutHello(t, tls, waitsForHello),
        /Waited in vain: the service cuts them/,
      );
    },
    { ...onSqlite, skip: withoutOpenssl },
  );

  test("a rejected client that does not hang up is cut", (t) => cut(t));

  testTwin(
    "a twin that waits for clients to hang up is detected",
    (t) => assert.rejects(cut(t, neverDestroys), /Waited in vain: the service closes them/),
    onSqlite,
  );
});

/** More people in a meeting than places for requests, whose sockets say nothing, and probes in between. */
const manyPeople = async (t: TestContext, twin?: Twin): Promise<void> => {
  const world = await startWorld(t, {
    twin: withReplaced(twin, "few places", fewPlaces),
    environment: { TRUST_PROXY: "loopback" },
  });
  const tenant = await world.tenant({ rooms: 1 });
  const room = { name: "All", room: "all", roomOwnerId: tenant.admin.id, noOfParticipants: 6 };
  await tenant.ask("createRoom", room);
  const code = await linkOf(tenant.ask, "all");
  const connect = async (): Promise<Somebody> => {
    const { body } = await world.open("joinRoom", { roomId: code, peerName: "Ann" });
    return openSocket(t, world.url, { ticket: body.ticket });
  };
  const isIn = async (one: Somebody): Promise<boolean> => {
    await until("it is known", () => one.view !== undefined || one.closed !== undefined);
    return one.closed === undefined;
  };
  const people: Somebody[] = [];
  while (people.length <= FEW) {
    const one = await connect();
    assert.ok(await isIn(one));
    people.push(one);
  }
  for (let probe = 0; probe < 2 * FEW; probe += 1) {
    assert.equal(await ask(world.url, "/readyz", "127.0.0.1"), "HTTP/1.1 200 OK");
  }
  assert.deepEqual(
    people.filter(({ closed }) => closed !== undefined),
    [],
  );
  const more = await connect();
  assert.equal(await isIn(more), false);
  people[0]?.cut();
  await until("a place is free", async () => isIn(await openSocket(t, world.url, more)));
};

const cut = async (t: TestContext, twin?: Twin): Promise<void> => {
  const house = await openHouse(t, { environment: gauged });
  const service = await startProcess(t, house.environment, { twin });
  const before = await readGauges(service.url);
  const all = Array.from({ length: 60 }, () =>
    openRaw(service.url, { localAddress: "127.0.3.1", allowHalfOpen: true }),
  );
  for (const raw of all) raw.send(HEAD);
  await Promise.all(all.map((raw) => raw.wait(/ 408 .*}$/s)));
  const isClosed = async () => (await readGauges(service.url)).files < before.files + 30;
  // A minute without a byte would close them too, so it must not take that long.
  await until("the service closes them", isClosed, twin ? 15_000 : 40_000).finally(() => {
    for (const { socket } of all) socket.destroy();
  });
};

const cutHello = async (t: TestContext, tls: CertificateFiles, twin?: Twin): Promise<void> => {
  const house = await openHouse(t, { environment: servedWith(tls) });
  const service = await startProcess(t, house.environment, { twin });
  const all = Array.from({ length: 60 }, (_, n) => holdHello(service.url, n, "127.0.3.1"));
  // A twin gets twice the time that the service allows for a handshake.
  const isCut = () => all.every(({ socket }) => socket.destroyed || socket.readableEnded);
  await until("the service cuts them", isCut, twin ? 20_000 : 60_000).finally(() => {
    for (const { socket } of all) socket.destroy();
  });
};
