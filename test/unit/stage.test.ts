import assert from "node:assert/strict";
import { test } from "node:test";

// Imported by their addresses: a browser's types are the console's alone.
const pages = new URL("../../console/", import.meta.url).href;
const { isShownWhole } = await import(`${pages}meet/call/fit.ts`);
const { fitTiles, ratioIn } = await import(`${pages}meet/call/fit.ts`);
const { handPlaces, handsUp } = await import(`${pages}meet/call/hands.ts`);
const { personColor, personFills } = await import(`${pages}meet/call/person-color.ts`);
const { themeVariables } = await import(`${pages}theme/variables.ts`);

test("a picture is shown whole exactly where filling its tile would cut off more than a third", () => {
  const wide = { width: 1280, height: 720 };
  const upright = { width: 720, height: 1280 };
  const old = { width: 640, height: 480 };
  assert.equal(isShownWhole(upright, wide), true);
  assert.equal(isShownWhole(wide, upright), true);
  assert.equal(isShownWhole(upright, { width: 300, height: 400 }), false);
  for (const place of [wide, { width: 400, height: 300 }, { width: 360, height: 300 }]) {
    assert.equal(isShownWhole(wide, place), false);
    assert.equal(isShownWhole(old, place), false);
  }
  // Exactly a third is still cut.
  assert.equal(isShownWhole({ width: 300, height: 200 }, { width: 200, height: 200 }), false);
  assert.equal(isShownWhole({ width: 301, height: 200 }, { width: 200, height: 200 }), true);
  // Before the first picture nothing is known.
  assert.equal(isShownWhole({ width: 0, height: 0 }, wide), false);
});

/** How many tiles are side by side. */
const columnsIn = (count: number, width: number, height: number, narrowest: number): number => {
  const space = { width, height, gap: 8, ratio: ratioIn({ width, height }), narrowest };
  const fit = fitTiles(count, space);
  assert.equal(fit.perPage, count);
  return Math.floor((width + 8) / (fit.width + 8));
};

test("in a low window all tiles are in one row instead of one on each page", () => {
  for (const count of [2, 4, 6]) assert.ok(columnsIn(count, 700, 60, 200) >= count);
});

test("four people on a phone are two by two; three stay below each other, and so do tiles beside a large picture", () => {
  for (const [width, height] of [
    [362, 640],
    [362, 560],
    [292, 420],
  ] as const) {
    assert.equal(columnsIn(4, width, height, 140), 2, `${width} x ${height}`);
    assert.equal(columnsIn(6, width, height, 140), 2, `${width} x ${height}`);
  }
  assert.equal(columnsIn(3, 362, 640, 140), 1);
  assert.equal(columnsIn(4, 240, 700, 120), 1);
});

const hand = (minute: number) => `2027-01-20T10:0${minute}:00.000Z`;
const peer = (peerId: string, at: string | null) => ({ peerId, peerType: "viewer", hand: at });

test("raised hands are in order, with positions only for people who see everybody", () => {
  const view = {
    you: { peerId: "me", peerType: "moderator", hand: hand(2) },
    room: { roomType: "event" },
    meeting: { peopleHidden: false },
    peers: [
      peer("late", hand(3)),
      peer("down", null),
      peer("first", hand(1)),
      peer("same", hand(3)),
    ],
  };
  assert.deepEqual(handsUp(view), ["first", "me", "late", "same"]);
  assert.equal(handPlaces(view).get("late"), 3);
  assert.equal(handPlaces(view).has("down"), false);
  const watching = { ...view, you: { ...view.you, peerType: "viewer" } };
  assert.equal(handPlaces(watching).size, 0);
});

/** The contrast of two colors (WCAG 2.2, 1.4.3). */
const contrast = (one: string, other: string): number => {
  const luminance = (color: string): number => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
      return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};

test("every color of people is readable: white letters on it, and names in it, in both schemes", () => {
  for (const fill of personFills) assert.ok(contrast(fill, "#ffffff") >= 4.5, fill);
  const blocks: readonly string[] = themeVariables().match(/[^{}]+\{[^}]*\}/g) ?? [];
  const [light = "", dark = ""] = ["light", "dark"].map((scheme) =>
    blocks.find((block) => block.includes(`scheme="${scheme}"`) && block.includes("--parley-card")),
  );
  const valueIn = (part: string, name: string): string =>
    part.match(new RegExp(`${name}:\\s*(#[0-9a-f]{6})`))?.[1] ?? "";
  for (const scheme of [light, dark]) {
    const card = valueIn(scheme, "--parley-card");
    for (const [index] of personFills.entries()) {
      const color = valueIn(scheme, `--parley-person-${index}`);
      assert.ok(contrast(color, card) >= 4.5, `${color} on ${card}`);
    }
  }
  assert.equal(personColor("one"), personColor("one"));
  const seen = new Set(Array.from({ length: 100 }, (_, index) => personColor(`peer-${index}`)));
  assert.equal(seen.size, personFills.length);
});
