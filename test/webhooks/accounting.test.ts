// Runs: postgres-first, waits

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { now } from "../../server/db/now.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { queuesLater, sendsWithoutLease } from "../twins/webhooks.ts";
import { onPostgres } from "../world/empty-database.ts";
import { openHouse } from "../world/house.ts";
import { startProcess, until } from "../world/process.ts";
import { count, type Dice, rollDice, soaking } from "../world/seed.ts";
import { type Receiver, startReceiver } from "./receiver.ts";

const ROOMS = 3;

/** How many times in a row the receiver misbehaves: the pauses double, and a dozen would take minutes. */
const MOST_REFUSED = 5;

/** The ways in which the receiver misbehaves. */
const badly = (dice: Dice): Receiver["fate"] => {
  const refused = new Map<string, number>();
  return ({ id }) => {
    const times = refused.get(id) ?? 0;
    const fate = ([undefined, undefined, 500, "hang up"] as const)[dice.roll(4)];
    if (fate === undefined || times === MOST_REFUSED) return undefined;
    refused.set(id, times + 1);
    return fate;
  };
};

interface Run {
  readonly kills?: number;
  readonly edits: number;
  /** The reaction of one more receiver, with a separate webhook, to deliveries. */
  readonly fate?: Receiver["fate"];
  /** The twin as which the first process runs; then there is no second one. */
  readonly twin?: Twin;
}

/**
 * Edits rooms over two processes, some of which are killed meanwhile, and compares what each receiver got
 * with what was answered: every edit is delivered, in the order of its room, and never with another body.
 *
 * @returns how many arrivals were accepted beyond the first of each delivery
 */
const account = async (t: TestContext, { kills = 0, edits, fate, twin }: Run): Promise<number> => {
  const environment = { ALLOWED_NETWORKS: "loopback", WEBHOOK_RETRY_SECONDS: "0.05" };
  const house = await openHouse(t, { environment });
  const tenant = await house.beside((world) => world.tenant());
  const receivers = [await startReceiver(t), ...(fate ? [await startReceiver(t)] : [])];
  const [receiver, bad] = receivers;
  assert.ok(receiver);
  const start = () => startProcess(t, house.environment);
  let a = await startProcess(t, house.environment, { twin });
  const b = onPostgres && !twin ? await start() : undefined;
  const setUp = tenant.askAt(a.url);
  for (const { url } of receivers) {
    const made = await setUp("createWebhook", { url, events: ["roomEdited"] });
    assert.equal(made.status, 201, made.text);
  }
  const rooms = Array.from({ length: ROOMS }, (_, n) => `r${n}`);
  for (const room of rooms) {
    await setUp("createRoom", { room, name: "0", roomOwnerId: tenant.admin.id });
  }
  if (bad && fate) bad.fate = fate;
  const told = new Map(rooms.map((room) => [room, [] as string[]]));
  let name = 0;
  const edit = async (room: string, url: string): Promise<boolean> => {
    name += 1;
    const input = { room, name: String(name), roomOwnerId: tenant.admin.id };
    const answer = await tenant
      .askAt(url)("editRoom", input)
      .catch(() => undefined);
    if (answer?.status === 200) told.get(room)?.push(input.name);
    return answer?.status === 200;
  };
  for (let round = 0; round < kills; round += 1) {
    const killed = a;
    const from = receiver.arrivals.length;
    const dying = until("something arrives", () => receiver.arrivals.length > from + 2).then(() =>
      killed.end("SIGKILL"),
    );
    await Promise.all(
      rooms.map(async (room, n) => {
        while (!killed.hasEnded()) await edit(room, n === 0 && b ? b.url : killed.url);
      }),
    );
    await dying;
    a = await start();
  }
  await Promise.all(
    rooms.map(async (room, n) => {
      for (let more = 0; more < edits; more += 1) {
        assert.ok(await edit(room, (n + more) % 2 === 0 && b ? b.url : a.url));
      }
    }),
  );
  const ask = tenant.askAt(a.url);
  const waiting = async (): Promise<number> =>
    (await ask("listDeliveries", { state: "waiting" })).body.pagination.total;
  if (kills > 0 && !soaking) {
    // Expires the leases of killed processes; in the long run a minute does that.
    await house.beside(({ database }) =>
      until("only what the killed had claimed is left", async () => {
        const before = receiver.arrivals.length;
        // Quiet for longer than a retry takes.
        await new Promise((later) => setTimeout(later, 1_500));
        return receiver.arrivals.length === before;
      }).then(() =>
        database.change((tx) =>
          tx
            .updateTable("deliveries")
            .set({ due_at: now(-1) })
            .where("state", "=", "waiting")
            .execute(),
        ),
      ),
    );
  }
  await until("everything is delivered", async () => (await waiting()) === 0);
  const copies = receivers.map((one) => check(one, told, { isKilled: kills > 0 }));
  return copies.reduce((sum, one) => sum + one, 0);
};

/** Compares the deliveries with the answers. */
const check = (
  { arrivals }: Receiver,
  told: ReadonlyMap<string, readonly string[]>,
  { isKilled }: { readonly isKilled: boolean },
): number => {
  const byId = Map.groupBy(arrivals, ({ id }) => id);
  for (const [id, all] of byId) {
    assert.equal(new Set(all.map(({ body }) => body)).size, 1, `${id} has two bodies`);
  }
  const accepted = arrivals.filter((one) => one.accepted);
  const firsts = [...new Map(accepted.toReversed().map((one) => [one.id, one])).values()].reverse();
  for (const [room, names] of told) {
    const mine = firsts
      .filter(({ event }) => event.data.roomId === room)
      .map(({ event }) => event.data.after.name as string);
    const missing = names.filter((name) => !mine.includes(name));
    assert.deepEqual(missing, [], `edits of ${room} were not told`);
    // A killed process may have made an edit without answering it.
    const expected = isKilled ? mine.toSorted((one, other) => Number(one) - Number(other)) : names;
    assert.deepEqual(mine, expected, `edits of ${room} are not in order`);
    assert.equal(new Set(mine).size, mine.length, `an edit of ${room} is told by two deliveries`);
  }
  return accepted.length - byId.size;
};

test("every change is delivered exactly once, in its subject's order, by any process, however other receivers fail", async (t) => {
  const fate = badly(rollDice(t));
  assert.equal(await account(t, { edits: count(8, 200), fate }), 0, "deliveries came twice");
});

test("a killed sender loses nothing, and duplicates at most what was under way", async (t) => {
  const kills = count(1, 20);
  const more = await account(t, { kills, edits: 2 });
  t.diagnostic(`${kills} kills, ${more} copies`);
  // Of each subject, one delivery is under way at a time.
  assert.ok(more <= kills * ROOMS, `${more} copies`);
});

testTwin("a twin that claims without a lease, and delivers twice, is detected", async (t) => {
  const twice = account(t, { edits: 10, twin: sendsWithoutLease }).then((more) =>
    assert.equal(more, 0, "deliveries came twice"),
  );
  await assert.rejects(twice, /came twice/);
});

testTwin(
  "a twin that queues deliveries after the commit, and loses one, is detected",
  async (t) => {
    await assert.rejects(account(t, { kills: 1, edits: 1, twin: queuesLater }), /were not told/);
  },
);
