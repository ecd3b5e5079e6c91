import assert from "node:assert/strict";
import { test } from "node:test";
import { shortensCodes } from "../twins/gates.ts";
import { testTwin } from "../twins/test-twin.ts";
import { type Ask, askAs } from "../world/ask.ts";
import { startWorld, type World } from "../world/world.ts";
import { linkOf } from "./inside.ts";
import { newPlace } from "./place.ts";

const world = await startWorld(test);
const { open, url } = world;

/** The alphabet of codes, without characters that are easily confused: 32 letters and digits, or 5 bits. */
const LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";
const FORM = new RegExp(`^[${LETTERS}]{4}-[${LETTERS}]{4}-[${LETTERS}]{4}$`);

/** Enough codes that a letter missing from a position never occurs there. */
const CODES = 200;

/** Each position of a code can have every letter: 12 positions of 5 bits. */
const hasSixtyBits = async (here: World): Promise<void> => {
  const { tenant } = await newPlace(here);
  const codes = new Set<string>();
  for (let n = 0; n < CODES; n += 1) {
    const { body } = await tenant.ask("getRoomLink", { roomId: "r", renew: true });
    assert.match(body.code, FORM);
    codes.add(body.code);
  }
  assert.equal(codes.size, CODES, "none comes twice");
  const letters = [...codes].map((code) => code.replaceAll("-", ""));
  for (let place = 0; place < 12; place += 1) {
    const seen = new Set(letters.map((code) => code[place]));
    assert.ok(seen.size >= 28, `place ${place} has ${seen.size} of 32 letters`);
  }
};

test("the code of a link is twelve random letters of 32: 60 bits", () => hasSixtyBits(world));

testTwin("a twin whose codes have fewer random letters is detected", async (t) => {
  const here = await startWorld(t, { twin: shortensCodes });
  await assert.rejects(hasSixtyBits(here), /letters/);
});

/** A well-formed code that belongs to no room. */
const UNKNOWN = "2222-2222-2222";

const wide = (text: string): string =>
  text.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));
const encoded = (text: string): string =>
  text.replace(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);

/** Spellings of a code by people who have it: each is that code, and nothing else. */
const spellings = (code: string): Readonly<Record<string, string>> => ({
  "upper case": code.toUpperCase(),
  "full-width letters": wide(code),
  "full-width hyphens": code.replaceAll("-", "\uff0d"),
  "percent-encoded": encoded(code),
  "without hyphens": code.replaceAll("-", ""),
  "a letter of no width": `${code}\u200b`,
  "blanks around it": ` ${code}\n`,
  "a full stop": `${code}.`,
  "its link": `https://meet.example.org/m/${code}`,
  quotes: `'${code}'`,
});
/** Other codes, and texts by which a stranger hopes for a lenient comparison. */
const others = (code: string): Readonly<Record<string, string>> => ({
  "a letter less": code.slice(0, -1),
  "a letter more": `${code}a`,
  "a letter before it": `a${code}`,
  "its groups in another order": code.split("-").toReversed().join("-"),
  "a part of it": code.slice(0, 9),
  "a pattern": "%",
  "a pattern of its form": "____-____-____",
  "the longest that is read": code.padEnd(128, "a"),
});
const malformed = (code: string): Readonly<Record<string, unknown>> => ({
  "too long": code.padEnd(129, "a"),
  "far too long": code.repeat(1_000),
  "with NUL": `${code}\0`,
  "NUL alone": "\0",
  "half a letter": `${code}\ud800`,
  "a list": [code],
  "an object": { code },
});

/** Operations that accept the code of a link from anybody. */
const doors = ["fetchInvitation", "joinRoom", "watchStream"] as const;

test("another spelling of a code opens its room, another code is unknown, and anything else is a wrong field", async () => {
  const { code, asMember } = await newPlace(world);
  const stranger = await world.tenant();
  const asStranger = askAs(url, await stranger.tokenOf(stranger.admin.id));
  const callers: Readonly<Record<string, Ask>> = { guest: open, member: asMember, asStranger };
  for (const [caller, ask] of Object.entries(callers)) {
    for (const door of doors) {
      const say = async (roomId: unknown) => {
        const { status, text } = await ask(door, { roomId, peerName: "Gus" });
        return { status, text };
      };
      const unknown = await say(UNKNOWN);
      assert.equal(unknown.status, 404);
      for (const [how, other] of Object.entries(others(code))) {
        assert.deepEqual(await say(other), unknown, `${door}, ${caller}: ${how}`);
      }
      for (const [how, wrong] of Object.entries(malformed(code))) {
        assert.equal((await say(wrong)).status, 400, `${door}, ${caller}: ${how}`);
      }
      const known = await say(code);
      assert.notDeepEqual(known, unknown, `${door}, ${caller}: the code itself`);
      for (const [how, spelled] of Object.entries(spellings(code))) {
        const { status } = await say(spelled);
        // By now the room may be full.
        const opened = [known.status, ...(door === "joinRoom" ? [409] : [])];
        assert.ok(opened.includes(status), `${door}, ${caller}: ${how}: ${status}`);
      }
    }
  }
});

test("the page of a meeting is the same at every address", async () => {
  const { code } = await newPlace(world);
  const page = async (path: string) => {
    const answer = await fetch(`${url}/m/${path}`, { headers: { accept: "text/html" } });
    return { status: answer.status, text: await answer.text() };
  };
  const unknown = await page(UNKNOWN);
  const texts = [...Object.values(spellings(code)), ...Object.values(others(code))];
  const spelled = texts.map(encodeURIComponent);
  for (const path of [code, encoded(code), ...spelled, "%00"]) {
    assert.deepEqual(await page(path), unknown, path);
  }
  for (const path of ["%", "%zz", "%ff%fe", code.repeat(500)]) {
    assert.ok((await page(path)).status < 500, path);
  }
});

test("to a guest, a deleted room, one in the bin and a room's ID answer like an unknown code", async () => {
  const { tenant, asAdmin } = await newPlace(world);
  await asAdmin("editOrganization", { binDays: 1 });
  const make = async (room: string): Promise<string> => {
    const made = { name: room, room, roomOwnerId: tenant.admin.id };
    assert.equal((await tenant.ask("createRoom", made)).status, 201);
    return linkOf(tenant.ask, room);
  };
  const [deleted, binned] = [await make("deleted-room"), await make("binned-room")];
  assert.equal((await tenant.ask("deleteRoom", { id: "deleted-room" })).status, 200);
  assert.equal((await tenant.ask("binRooms", { rooms: ["binned-room"] })).status, 200);
  for (const door of doors) {
    const say = async (roomId: string) => {
      const { status, text } = await open(door, { roomId, peerName: "Gus" });
      return { status, text };
    };
    const unknown = await say(UNKNOWN);
    for (const known of [deleted, binned, "r"]) assert.deepEqual(await say(known), unknown);
  }
});
