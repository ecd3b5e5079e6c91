import assert from "node:assert/strict";
import { test } from "node:test";
import fastify from "fastify";
import { addressOf } from "../../server/networks.ts";

const remotes = ["127.0.0.1", "::ffff:127.0.0.1", "10.1.2.3", "203.0.113.7"];
const headers = [
  undefined,
  "",
  "198.51.100.1",
  "198.51.100.1, 10.1.2.3",
  "198.51.100.1,203.0.113.9 , 127.0.0.1",
  "10.0.0.1, 10.0.0.2",
  "unknown, 10.0.0.2",
  "unknown",
];

test("a WebSocket comes from where a request with the same headers does", async (t) => {
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
