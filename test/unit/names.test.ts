import assert from "node:assert/strict";
import { test } from "node:test";
import { uuid7 } from "../../server/id.ts";
import { compareNamed, type Named, newNames } from "../../server/rooms/names.ts";
import { type Dice, diceOf, rollDice } from "../world/seed.ts";

const CHARACTERS = ["a", "b", "c", " ", "ß", "σ", "会", "議", "\u{1f600}"];

const textOf = (dice: Dice, length: number): string =>
  Array.from({ length }, () => dice.pick(CHARACTERS)).join("");

const nameOf = (dice: Dice): Named => ({ key: textOf(dice, 1 + dice.roll(12)), id: uuid7() });

/** The same search over a plain list. */
const plainly = (all: readonly Named[], term: string, sortOrder: "ASC" | "DESC") => {
  const ids = all.filter(({ key }) => key.includes(term)).map(({ id }) => id);
  return sortOrder === "ASC" ? ids : ids.reverse();
};

test("names in memory are found as in a plain list, in both orders, from any offset, after any change", (t) => {
  const dice = rollDice(t);
  const all = Array.from({ length: 4_000 }, () => nameOf(dice)).sort(compareNamed);
  const names = newNames();
  for (let at = 0; at < all.length; at += 1_500) names.append(all.slice(at, at + 1_500));
  const place = (name: Named) => {
    const at = all.findIndex((one) => compareNamed(one, name) > 0);
    all.splice(at < 0 ? all.length : at, 0, name);
  };
  for (let step = 0; step < 1_300; step += 1) {
    // Some come close together, so that blocks grow and part; whole stretches go.
    const added = dice.roll(3) === 0 ? nameOf(dice) : { key: `b${textOf(dice, 2)}`, id: uuid7() };
    const from = step < 700 ? dice.roll(all.length) : Math.min(1_000, all.length - 1);
    const gone = step % 2 === 1 || step >= 700 ? all[from] : undefined;
    if (gone) all.splice(from, 1);
    if (step < 700) place(added);
    names.change({ before: gone, after: step < 700 ? added : undefined });
    const term = textOf(dice, 1 + dice.roll(4));
    const sortOrder = dice.pick(["ASC", "DESC"] as const);
    const expected = plainly(all, term, sortOrder);
    const offset = dice.roll(expected.length + 2);
    const found = names.find({ term, sortOrder, offset, size: 25 });
    assert.deepEqual(found, { total: expected.length, ids: expected.slice(offset, offset + 25) });
  }
});

test("the last name may go, and the first one come", () => {
  const names = newNames();
  const [one, other] = [nameOf(diceOf(1)), nameOf(diceOf(2))];
  const find = () => names.find({ term: one.key, sortOrder: "ASC", offset: 0, size: 1 });
  names.change({ before: undefined, after: one });
  assert.deepEqual(find(), { total: 1, ids: [one.id] });
  names.change({ before: one, after: undefined });
  assert.deepEqual(find(), { total: 0, ids: [] });
  assert.throws(() => names.change({ before: other, after: undefined }), /is not known/);
  names.change({ before: undefined, after: other });
  assert.throws(() => names.change({ before: undefined, after: other }), /is known already/);
});
