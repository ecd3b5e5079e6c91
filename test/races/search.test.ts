// Runs: postgres-first

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { countsAll } from "../twins/lists.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import type { Ask } from "../world/ask.ts";
import { addRooms } from "../world/many.ts";
import { count, type Dice, diceOf, rollDice } from "../world/seed.ts";
import { startWorld } from "../world/world.ts";

const NAMES = ["Straße", "Board", "On board", "\u{1F600} talk", "会議 board", "Σωσάννα", "zz"];
const TERMS = [
  "o",
  "BO",
  "board",
  "on b",
  "straße",
  "议",
  "会",
  "\u{1F600}",
  "ΣΣ",
  "σωσ",
  "absent",
];
const ROOMS = 1_000;

const fold = (text: string): string => text.normalize("NFKC").toLowerCase().replaceAll("ς", "σ");
const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** A room as the test knows it; an older room has the smaller ID. */
interface Known {
  readonly room: string;
  readonly made: number;
  name: string;
  readonly createdAt: string;
}

/** After each change of any kind, on either process, a search finds the current rooms. */
const searchWhileChanging = async (t: TestContext, dice: Dice, steps: number, twin?: Twin) => {
  const world = await startWorld(t, { twin });
  const urls = [world.url, await world.second()];
  const tenant = await world.tenant();
  const roomOwnerId = tenant.admin.id;
  await addRooms(tenant, ROOMS, NAMES, [tenant.admin.id]);
  const { body } = await tenant.ask("listRooms", { sortBy: "createdAt", limit: 10_000 });
  const rooms: Known[] = body.roomSettings.map(
    ({ room, name, createdAt }: Known): Known => ({
      room,
      name,
      createdAt,
      made: Number(room.slice("many-".length)),
    }),
  );
  let made = ROOMS;

  const changes: ((ask: Ask) => Promise<unknown>)[] = [
    async (ask) => {
      const name = dice.pick(NAMES);
      const { body } = await ask("createRoom", { name, roomOwnerId });
      const { room, createdAt } = body.roomSetting;
      made += 1;
      rooms.push({ room, name, createdAt, made });
    },
    async (ask) => {
      const known = dice.pick(rooms);
      known.name = dice.pick(NAMES);
      await ask("editRoom", { room: known.room, roomOwnerId, name: known.name });
    },
    async (ask) => {
      const [known] = rooms.splice(dice.roll(rooms.length), 1);
      await ask("deleteRoom", { id: known?.room ?? "" });
    },
  ];
  for (let step = 0; step < steps; step += 1) {
    if (dice.roll(3) === 0) await dice.pick(changes)(tenant.askAt(dice.pick(urls)));
    const search = dice.pick(TERMS);
    const sortBy = dice.pick(["name", "createdAt"] as const);
    const sortOrder = dice.pick(["ASC", "DESC"] as const);
    const matches = rooms
      .filter(({ name }) => fold(name).includes(fold(search)))
      .sort((a, b) =>
        sortBy === "name"
          ? byBytes(fold(a.name), fold(b.name)) || a.made - b.made
          : byBytes(a.createdAt, b.createdAt) || a.made - b.made,
      );
    if (sortOrder === "DESC") matches.reverse();
    const page = 1 + dice.roll(Math.ceil(matches.length / 10) + 1);
    const ask = tenant.askAt(dice.pick(urls));
    const found = await ask("listRooms", { search, sortBy, sortOrder, page, limit: 10 });
    const told = `step ${step}: ${search} by ${sortBy} ${sortOrder}, page ${page}`;
    assert.equal(found.body.pagination.total, matches.length, told);
    assert.deepEqual(
      found.body.roomSettings.map(({ room }: Known) => room),
      matches.slice(10 * (page - 1), 10 * page).map(({ room }) => room),
      told,
    );
  }
};

test("P-STA-5: after every change a search finds the current rooms, on every process", (t) =>
  searchWhileChanging(t, rollDice(t), count(150, 5000)));

testTwin("P-STA-5: a twin that counts rooms outside the search is detected", async (t) => {
  await assert.rejects(searchWhileChanging(t, diceOf(1), 20, countsAll), {
    code: "ERR_ASSERTION",
  });
});
