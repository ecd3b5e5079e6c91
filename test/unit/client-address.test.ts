import assert from "node:assert/strict";
import { test } from "node:test";
import fastify from "fastify";
import { addressOf } from "../../server/lib/networks.ts";

const remotes = ["127.0.0.1", "::ffff:127.0.0.1", "10.1.2.3", "203.0.113.7"];
const headers = [
  undefined,
  "",
  "198.51.100.1",
  "198.51.100.1, 10.1.2.3",
  "198.51.100.1,203.0.113.9 , 127.0.0.1",
  "10.0.0.1, 10.0.0.2",
  "2001:db8::1",
];

test("a request comes from the address that Fastify finds behind trusted proxies", async (t) => {
  for (const trustProxy of [false as const, ["loopback"], ["loopback", "10.0.0.0/8"]]) {
    const app = fastify({ trustProxy });
    t.after(() => app.close());
    const from = addressOf(trustProxy);
    app.get("/", async ({ ip, raw }) => ({ ip, from: from(raw) }));
    for (const remoteAddress of remotes) {
      for (const forwarded of headers) {
        const answer = await app.inject({
          url: "/",
          remoteAddress,
          headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
        });
        const { ip, from: found } = answer.json();
        assert.equal(found, ip, `${trustProxy} ${remoteAddress} ${forwarded}`);
      }
    }
  }
});

test("an address may have a port and brackets, and an invalid one counts as its proxy's", () => {
  const from = addressOf(["loopback", "10.0.0.0/8"]);
  const socket = { remoteAddress: "127.0.0.1" } as Parameters<typeof from>[0]["socket"];
  for (const [forwarded, address] of [
    ["203.0.113.5:1234", "203.0.113.5"],
    ["[2001:db8::1]:443", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["203.0.113.5:1234, 10.0.0.7:80", "203.0.113.5"],
    ["\t203.0.113.5 ,10.0.0.7", "203.0.113.5"],
    ["198.51.100.1, unknown", "127.0.0.1"],
    ["unknown, 10.0.0.7", "10.0.0.7"],
    ["198.51.100.1, , 10.0.0.7", "10.0.0.7"],
    ["_hidden", "127.0.0.1"],
    ["203.0.113.5:http", "127.0.0.1"],
    ["203.0.113.5.6:80", "127.0.0.1"],
    ["[203.0.113.5", "127.0.0.1"],
    ["1.2.3", "127.0.0.1"],
    ["", "127.0.0.1"],
  ] as const) {
    assert.equal(from({ socket, headers: { "x-forwarded-for": forwarded } }), address, forwarded);
  }
});
