// Runs: waits

import assert from "node:assert/strict";
import dns, { promises } from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import { isIP } from "node:net";
import { type TestContext, test } from "node:test";
import { isPublic } from "../../server/lib/dialing.ts";
import { post } from "../../server/webhooks/post.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { resolvesAgain } from "../twins/webhooks.ts";
import type { Ask } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { saidIn } from "../world/reasons.ts";
import { startWorld } from "../world/world.ts";
import { startReceiver } from "./receiver.ts";

/**
 * A webhook goes to a name that resolves to another address right after it was looked up.
 *
 * @param twin a sender with a defect
 * @returns how many events arrived at the address to which the name resolved when it was checked
 */
const goesToChecked = async (t: TestContext, twin?: Twin): Promise<number> => {
  const environment = { ALLOWED_NETWORKS: "loopback", WEBHOOK_RETRY_SECONDS: "3600" };
  const world = await startWorld(t, { twin, environment });
  const { ask } = await world.tenant();
  const receiver = await startReceiver(t);
  const url = `http://localhost:${receiver.port}/`;
  const { webhook } = (await ask("createWebhook", { url, events: ["roomCreated"] })).body;
  // Connecting by name resolves it here; the check of an address resolves it elsewhere (node:dns/promises).
  const { lookup } = dns;
  t.mock.method(dns, "lookup", ((name: string, options: object, done: (e: Error) => void) =>
    name === "localhost"
      ? done(new Error("another answer"))
      : lookup(name, options, done as never)) as typeof lookup);
  await ask("testWebhook", { id: webhook.id });
  await until("it is tried", async () => {
    const [delivery] = (await ask("listDeliveries", {})).body.deliveries;
    return delivery.milliseconds !== null;
  });
  return receiver.arrivals.length;
};

test("the checked address is the one that is contacted, whatever the name resolves to meanwhile", async (t) => {
  assert.equal(await goesToChecked(t), 1);
});

testTwin("a twin that looks up the name a second time is detected", async (t) => {
  assert.equal(await goesToChecked(t, resolvesAgain), 0);
});

test("names that are slow to look up take one place of the process, and organizations take turns", async (t) => {
  const slow = Promise.withResolvers<void>();
  const asked: string[] = [];
  let [now, most] = [0, 0];
  t.mock.method(promises, "lookup", async (name: string) => {
    const found = [{ address: "127.0.0.1", family: 4 }];
    if (isIP(name) !== 0) return found;
    asked.push(name);
    now += 1;
    most = Math.max(most, now);
    if (name.startsWith("slow")) await slow.promise;
    now -= 1;
    return found;
  });
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  const world = await startWorld(t, { environment: { ALLOWED_NETWORKS: "loopback" } });
  const receiver = await startReceiver(t);
  const sendTo = async (ask: Ask, hosts: readonly string[]) => {
    for (const host of hosts) {
      const url = `http://${host}:${receiver.port}/`;
      const { webhook } = (await ask("createWebhook", { url, events: ["roomCreated"] })).body;
      await ask("testWebhook", { id: webhook.id });
    }
  };
  const [one, other] = [await world.tenant(), await world.tenant()];
  await sendTo(one.ask, ["slow-1.test", "slow-2.test", "slow-3.test", "slow-4.test"]);
  await until("the first name is looked up", () => asked.length > 0);
  // The address needs no lookup; once it was contacted, the name before it waits for its turn.
  await sendTo(other.ask, ["quick.test", "127.0.0.1"]);
  await until("the address is contacted", () => receiver.arrivals.length === 1);
  slow.resolve();
  await until("all have arrived", () => receiver.arrivals.length === 6);
  assert.equal(most, 1);
  assert.notEqual(asked.at(-1), "quick.test");
});

test("a delivery aborted before its name lookup fails without a fault of the process", async () => {
  const options = { organizationId: "o1", networks: [], stop: AbortSignal.abort() };
  for (const host of ["127.0.0.1", "name.test"]) {
    const { status, reason } = await post(`http://${host}/`, {}, "{}", options);
    assert.deepEqual([status, typeof reason?.code], [null, "string"]);
  }
  // A rejection that nobody handles is reported after this turn, and fails the test.
  await new Promise(setImmediate);
});

test("addresses outside the public Internet are distinguished from public ones", () => {
  const inside = [
    "127.0.0.1",
    "127.255.0.9",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.9.9",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "198.18.0.1",
    "192.0.0.8",
    "::",
    "::1",
    "fe80::1",
    "fc00::1",
    "fd12::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "2001::1",
    "fe80::1%lo",
    "::ffff:169.254.169.254",
    "fd00:ec2::254",
    "2001:db8::1",
    "nonsense",
    "",
  ];
  const outside = ["8.8.8.8", "172.15.0.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111"];
  assert.deepEqual(inside.filter(isPublic), []);
  assert.deepEqual(
    outside.filter((address) => !isPublic(address)),
    [],
  );
});

test("nothing is sent into the operator's network, by name or number, unless the operator allows it", async (t) => {
  const world = await startWorld(t, { environment: { WEBHOOK_RETRY_SECONDS: "3600" } });
  const { ask } = await world.tenant();
  const receiver = await startReceiver(t);
  const hosts = [
    "127.0.0.1",
    "localhost",
    "169.254.169.254",
    "[::ffff:127.0.0.1]",
    "0x7f.1",
    "2130706433",
    "0",
  ];
  const events = ["roomCreated"];
  for (const host of hosts) {
    const url = `http://${host}:${receiver.port}/`;
    const { body } = await ask("createWebhook", { url: "http://8.8.8.8/", events });
    const { id } = body.webhook;
    for (const refused of [
      await ask("createWebhook", { url, events }),
      await ask("editWebhook", { id, url }),
    ]) {
      assert.equal(refused.status, 400, `${host}: ${refused.text}`);
      assert.deepEqual(saidIn(refused.body.errors), [
        { field: "url", message: refused.body.message },
      ]);
      assert.match(refused.body.message, /^url must be an address of the public Internet, or /);
    }
    // As if it were a name that resolves to that address.
    await world.database.change((tx) =>
      tx
        .updateTable("webhooks")
        .set({ url: new URL(url).href })
        .where("id", "=", id)
        .execute(),
    );
    const kept = await ask("editWebhook", { id, url, description: "It stays as it is." });
    assert.equal(kept.status, 200, kept.text);
    await ask("testWebhook", { id });
  }
  const tried = async () => (await ask("listDeliveries", {})).body.deliveries;
  await until("all are tried", async () =>
    (await tried()).every(({ lastError }: { lastError: string | null }) => lastError !== null),
  );
  for (const { lastError } of await tried()) assert.match(lastError, /not one of the public/);
  assert.equal((await tried()).length, hosts.length);
  assert.equal(receiver.arrivals.length, 0);
});
