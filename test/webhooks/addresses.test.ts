import assert from "node:assert/strict";
import { test } from "node:test";
import { isPublic } from "../../server/webhooks/address.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import { startReceiver } from "./receiver.ts";

test("addresses that are not of the public Internet are told from those that are", () => {
  const inside = [
    ...["127.0.0.1", "127.255.0.9", "0.0.0.0", "10.1.2.3", "172.16.0.1", "172.31.9.9"],
    ...["192.168.1.1", "169.254.169.254", "100.64.0.1", "224.0.0.1", "255.255.255.255"],
    ...["198.18.0.1", "192.0.0.8", "::", "::1", "fe80::1", "fc00::1", "fd12::1", "ff02::1"],
    ...["::ffff:127.0.0.1", "::ffff:8.8.8.8", "64:ff9b::7f00:1", "2002:7f00:1::", "2001::1"],
    ...["2001:db8::1", "nonsense", ""],
  ];
  const outside = ["8.8.8.8", "172.15.0.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111"];
  assert.deepEqual(inside.filter(isPublic), []);
  assert.deepEqual(
    outside.filter((address) => !isPublic(address)),
    [],
  );
});

test("unless the operator allows it, nothing is sent into the operator's network, by name or number", async (t) => {
  const world = await startWorld(t, { environment: { WEBHOOK_RETRY_SECONDS: "3600" } });
  const { ask } = await world.tenant();
  const receiver = await startReceiver(t);
  const hosts = ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0x7f.1", "2130706433", "0"];
  for (const host of hosts) {
    const url = `http://${host}:${receiver.port}/`;
    const made = await ask("createWebhook", { url, events: ["roomCreated"] });
    assert.equal(made.status, 201, made.text);
    await ask("testWebhook", { id: made.body.webhook.id });
  }
  const tried = async () => (await ask("listDeliveries", {})).body.deliveries;
  await until("all are tried", async () =>
    (await tried()).every(({ lastError }: { lastError: string | null }) => lastError !== null),
  );
  for (const { lastError } of await tried()) assert.match(lastError, /not one of the public/);
  assert.equal((await tried()).length, hosts.length);
  assert.equal(receiver.arrivals.length, 0);
});
