// Runs: sqlite, waits

import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import { openEmbeddedTurn } from "../../server/media/embedded-turn.ts";
import { freeUdpPort } from "../../server/media/ports.ts";
import { askStun } from "../../server/media/stun.ts";
import {
  attribute,
  type Endpoint,
  portAt,
  readStun,
  type StunMessage,
  writeStun,
  xorAddress,
} from "../../server/media/stun-message.ts";
import type { IceServer } from "../../server/media/turn.ts";
import { until } from "../world/process.ts";

const address = "127.0.0.1";
const secret = "0123456789abcdef".repeat(4);
const ALLOCATE = 0x0003;
const REFRESH = 0x0004;
const PERMISSION = 0x0008;
const CHANNEL = 0x0009;
const SEND = 0x0016;
const DATA = 0x0017;

const start = async (t: TestContext, ports = { from: 30_000, to: 30_099 }) => {
  const port = await freeUdpPort();
  const log = { error: (err: unknown) => assert.fail(String(err)) };
  const turn = await openEmbeddedTurn({ address, port, ...ports }, secret, log as never);
  t.after(turn.stop);
  return { port, of: (seat: string): IceServer => turn.of(seat)[0] as IceServer };
};

/** A UDP socket, and everything that has come to it. */
const openSocket = async (t: TestContext) => {
  const socket = createSocket("udp4").bind(0, address);
  t.after(() => socket.close());
  await once(socket, "listening");
  const arrived: Buffer[] = [];
  socket.on("message", (bytes) => arrived.push(bytes));
  return { socket, arrived, port: socket.address().port };
};

type Attributes = readonly (readonly [number, Buffer])[];
const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const udp: Attributes = [[attribute.transport, Buffer.from([17, 0, 0, 0])]];
const newId = (): Buffer => Buffer.concat([Buffer.from("2112a442", "hex"), randomBytes(12)]);

/** A browser's part of TURN. */
const openClient = async (t: TestContext, port: number, { username = "", credential = "" }) => {
  const { socket, arrived } = await openSocket(t);
  let nonce = Buffer.alloc(0);
  let realm = Buffer.alloc(0);
  const exchange = async (type: number, id: Buffer, has: Attributes, key?: Buffer) => {
    socket.send(writeStun(type, id, has, key), port, address);
    let answer: StunMessage | undefined;
    await until("it is answered", () => {
      answer = arrived.map(readStun).find((one) => one?.id.equals(id));
      return answer !== undefined;
    });
    return answer as StunMessage;
  };
  /** Sends a request, if need be again with what the server asks for. @returns the error's code; 0: none */
  const ask = async (type: number, has: (id: Buffer) => Attributes) => {
    const id = newId();
    const account: Attributes = [
      [attribute.username, Buffer.from(username)],
      [attribute.realm, realm],
      [attribute.nonce, nonce],
    ];
    const key = createHash("md5").update(`${username}:${realm}:${credential}`).digest();
    const answer = await exchange(type, id, [...has(id), ...account], key);
    const [error] = answer.attributes.get(attribute.error) ?? [];
    const code = error === undefined ? 0 : (error[2] ?? 0) * 100 + (error[3] ?? 0);
    nonce = Buffer.from(answer.attributes.get(attribute.nonce)?.[0] ?? nonce);
    realm = Buffer.from(answer.attributes.get(attribute.realm)?.[0] ?? realm);
    return { code, answer, id };
  };
  const allocate = async () => {
    const first = await ask(ALLOCATE, () => udp);
    return first.code === 438 || first.code === 401 ? ask(ALLOCATE, () => udp) : first;
  };
  return {
    arrived,
    allocate,
    ask,
    /** Takes a relay. @returns its port */
    relay: async (): Promise<number> => {
      const { answer, id, code } = await allocate();
      assert.equal(code, 0);
      const [value] = answer.attributes.get(attribute.relayed) ?? [];
      return (value && portAt(value, address, id)) ?? assert.fail("no relay");
    },
    permit: async (peer: Endpoint) =>
      (await ask(PERMISSION, (id) => [[attribute.peer, xorAddress(peer, id)]])).code,
    bind: async (peer: Endpoint, number = 0x4001) =>
      (
        await ask(CHANNEL, (id) => [
          [attribute.channel, uint32(number * 65_536)],
          [attribute.peer, xorAddress(peer, id)],
        ])
      ).code,
    send: (peer: Endpoint, text: string) => {
      const id = newId();
      const has: Attributes = [
        [attribute.peer, xorAddress(peer, id)],
        [attribute.data, Buffer.from(text)],
      ];
      socket.send(writeStun(SEND, id, has), port, address);
    },
    sendRaw: (bytes: Buffer) => socket.send(bytes, port, address),
  };
};

test("a relay reaches other relays, and no other port or address, by a permission, a channel or an indication", async (t) => {
  const { port, of } = await start(t);
  const ann = await openClient(t, port, of("ann"));
  const bob = await openClient(t, port, of("bob"));
  const anns = { address, port: await ann.relay() };
  const bobs = { address, port: await bob.relay() };
  const victim = await openSocket(t);
  const inside = { address, port: victim.port };

  assert.equal(await ann.permit(bobs), 0);
  assert.equal(await bob.permit(anns), 0);
  for (const other of ["127.0.0.2", "10.0.0.1", "169.254.169.254", "8.8.8.8", "::1"]) {
    assert.equal(await ann.permit({ ...bobs, address: other }), 403, other);
    assert.equal(await ann.bind({ ...bobs, address: other }), 403, other);
  }
  assert.equal(await ann.bind(inside), 403);
  assert.equal(await ann.bind({ address, port }), 403);
  ann.send(inside, "an indication");
  // Channel data without a channel as well.
  ann.sendRaw(Buffer.from([0x40, 0x01, 0, 4, 1, 2, 3, 4]));

  // A later packet to another relay arrives.
  ann.send(bobs, "hello");
  await until("it arrives as an indication", () =>
    bob.arrived.some((bytes) => readStun(bytes)?.type === DATA && bytes.includes("hello")),
  );
  assert.equal(await bob.bind(anns), 0);
  ann.send(bobs, "again");
  await until("it arrives in the channel", () =>
    bob.arrived.some((bytes) => bytes.subarray(0, 4).equals(Buffer.from([0x40, 0x01, 0, 5]))),
  );
  bob.sendRaw(Buffer.concat([Buffer.from([0x40, 0x01, 0, 4]), Buffer.from("back")]));
  await until("the answer arrives", () => ann.arrived.some((bytes) => bytes.includes("back")));
  assert.deepEqual(victim.arrived, []);
});

test("no relay is given without a valid account, and nobody takes all of them", async (t) => {
  const { port, of } = await start(t, { from: 30_000, to: 30_059 });
  const valid = of("ann");
  for (const wrong of [
    { ...valid, credential: "wrong" },
    { ...valid, username: `9${valid.username}` },
    { username: "ann", credential: "" },
  ]) {
    const client = await openClient(t, port, wrong);
    assert.equal((await client.allocate()).code, 401);
  }
  let taken = 0;
  let last = 0;
  for (; last === 0; taken += 1) {
    const client = await openClient(t, port, of("greedy"));
    last = (await client.allocate()).code;
  }
  assert.deepEqual([last, taken], [486, 41]);
  const client = await openClient(t, port, valid);
  const relay = await client.relay();
  assert.ok(relay >= 30_000 && relay <= 30_059);
  // A relay that is given back is free.
  const over = () => [[attribute.lifetime, uint32(0)]] as const;
  assert.equal((await client.ask(REFRESH, over)).code, 0);
  assert.equal((await client.ask(REFRESH, over)).code, 437);
});

test("the server tells browsers their address, and answers only messages", async (t) => {
  const { port } = await start(t);
  await askStun(`turn:${address}:${port}`);
  const { socket } = await openSocket(t);
  const head = fc.constantFrom("", "000100002112a442", "000300042112a442", "001600082112a442");
  fc.assert(
    fc.property(head, fc.uint8Array({ maxLength: 64 }), (start, rest) => {
      const bytes = Buffer.concat([Buffer.from(start, "hex"), rest]);
      readStun(bytes);
      socket.send(bytes, port, address);
    }),
  );
  await askStun(`turn:${address}:${port}`);
});

test("an answer over TCP may come in pieces", async (t) => {
  const server = createServer((client) => {
    client.on("data", (request: Buffer) => {
      const answer = writeStun(0x0101, request.subarray(4, 20), []);
      const [head, rest] = [answer.subarray(0, 7), answer.subarray(7)];
      client.write(head, () => setImmediate(() => client.write(rest)));
    });
  }).listen(0, address);
  await once(server, "listening");
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  await askStun(`stun:${address}:${port}?transport=tcp`);
});

test("addresses of both families are written as in RFC 5769, and read back", () => {
  const id = Buffer.from("2112a442b7e7a701bc34d686fa87dfae", "hex");
  const rows = [
    [{ address: "192.0.2.1", port: 32_853 }, "0001a147e112a643"],
    [
      { address: "2001:db8:1234:5678:11:2233:4455:6677", port: 32_853 },
      "0002a1470113a9faa5d3f179bc25f4b5bed2b9d9",
    ],
  ] as const;
  for (const [endpoint, hex] of rows) {
    const value = xorAddress(endpoint, id);
    assert.equal(value.toString("hex"), hex);
    assert.equal(portAt(value, endpoint.address, id), endpoint.port);
    assert.equal(portAt(value, "2001:db8::1", id), undefined);
  }
  assert.equal(portAt(xorAddress({ address: "::1", port: 5 }, id), "0:0::1", id), 5);
});
