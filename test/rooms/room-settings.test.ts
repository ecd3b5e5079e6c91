import assert from "node:assert/strict";
import { test } from "node:test";
import { allSettings } from "../../contract/rooms/settings.ts";
import { saidIn } from "../world/reasons.ts";
import { saidBody } from "../world/refusals.ts";
import { startWorld } from "../world/world.ts";
import { about, answered, failure, others, typedFailure, types } from "./expected.ts";
import { newHome, ROOMS } from "./home.ts";
import { long, settings } from "./setting-kinds.ts";

const world = await startWorld(test);
const { ask, owner, room: make, fetched, used } = await newHome(world);
await make({ room: "edited", name: "Board" });
const create = `POST ${ROOMS}`;
const edit = `PUT ${ROOMS}`;

test("every setting has values to try, and one that is not its default", () => {
  const every = Object.keys(allSettings).sort();
  const tried = settings.map(([field]) => field).filter((field) => field !== "name");
  assert.deepEqual(tried.sort(), every);
  assert.deepEqual(Object.keys(others).sort(), every);
});

for (const [field, { good, bad }] of settings) {
  test(`${field}: accepted values are answered as they were sent, on create and on edit`, async () => {
    await Promise.all(
      good.map(async (value) => {
        const { room } = await make({ [field]: value });
        const created = await ask(edit, { room, roomOwnerId: owner });
        const expected = answered({ [field]: value });
        const { roomSetting } = created.body;
        assert.deepEqual({ ...roomSetting, ...expected }, roomSetting);
        const { room: other } = await make();
        const edited = await ask(edit, { room: other, roomOwnerId: owner, [field]: value });
        assert.deepEqual({ ...edited.body.roomSetting, ...expected }, edited.body.roomSetting);
      }),
    );
  });

  test(`${field}: other values are refused and named, and change nothing`, async () => {
    const [before, rooms] = [await fetched("edited"), await used()];
    for (const [phrase, ...values] of bad) {
      const errors = [{ field, message: `${field} ${phrase}` }];
      for (const value of values) {
        const sent = { name: "Board", roomOwnerId: owner, [field]: value };
        const said = ["invalid_input", `${field} ${phrase}`, errors] as const;
        const created = await ask(create, sent);
        assert.deepEqual(
          [created.status, saidBody(created.body)],
          [400, failure(...said)],
          `${value}`,
        );
        const edited = await ask(edit, { ...sent, room: "edited" });
        assert.equal(edited.status, 400);
        // An edit accepts any word first, and checks it against the stored value.
        if (typeof value === "string" || !phrase.startsWith("must be one of")) {
          assert.deepEqual(saidBody(edited.body), typedFailure(types.edit, ...said), `${value}`);
        }
      }
    }
    assert.deepEqual([await fetched("edited"), await used()], [before, rooms]);
  });
}

test("null is refused where it is not allowed, and a word must be text", async () => {
  for (const field of ["roomType", "recordingFormat"]) {
    for (const value of [null, 1, [], true]) {
      const sent = { name: "Board", roomOwnerId: owner, room: "edited", [field]: value };
      for (const request of [create, edit] as const) {
        const { status, body } = await ask(request, {
          ...sent,
          ...(request === create ? { room: 1 } : {}),
        });
        assert.deepEqual([status, body.errors.length, body.errors[0].field], [400, 1, field]);
      }
    }
  }
});

test("an edit accepts the texts true and false only in fields whose answers carry them", async () => {
  for (const field of ["audioStatus", "videoStatus"]) {
    const sent = { name: "Board", roomOwnerId: owner, [field]: "false" };
    const created = await ask(create, sent);
    assert.deepEqual(saidBody(created.body), failure(...about(field, "must be true or false")));
    const { room } = await make();
    const edited = await ask(edit, { ...sent, room });
    assert.equal(edited.body.roomSetting[field], "false");
  }
});

test("recording resolutions are reported by their index, and are at most 16", async () => {
  const words = "480p, 1080p, 2160p";
  const table = [
    ["recordingResolutions", `must be an array of ${words}`, "480p"],
    ["recordingResolutions", `must be an array of ${words}`, { 0: "480p" }],
    ["recordingResolutions", "must have at most 16 entries", Array(17).fill("480p")],
    ["recordingResolutions[1]", `must be one of ${words}`, ["480p", "720p"]],
    ["recordingResolutions[0]", `must be one of ${words}`, [null]],
  ] as const;
  for (const [field, phrase, value] of table) {
    const sent = { name: "Board", roomOwnerId: owner, recordingResolutions: value };
    const { status, body } = await ask(create, sent);
    assert.deepEqual([status, saidBody(body)], [400, failure(...about(field, phrase))]);
  }
});

test("every wrong field is reported in the order of the record", async () => {
  const sent = { name: long(201), roomOwnerId: owner, isStatic: 1, ipCamNames: [1], roomType: "x" };
  const { body } = await ask(create, sent);
  const message = "name must be text of 1 to 200 characters";
  assert.equal(body.message, message);
  assert.deepEqual(saidIn(body.errors), [
    { field: "name", message },
    { field: "roomType", message: "roomType must be one of p2p, conferencing, event" },
    { field: "isStatic", message: "isStatic must be true or false" },
    { field: "ipCamNames[0]", message: "ipCamNames[0] must be text of at most 200 characters" },
  ]);
});

test("an edit reports every new word outside the documented sets", async () => {
  const wrong = { roomType: "webinar", recordingFormat: "avi", recordingResolutions: ["144p"] };
  const { body } = await ask(edit, { room: "edited", roomOwnerId: owner, ...wrong });
  assert.deepEqual(saidIn(body.errors), [
    { field: "roomType", message: "roomType must be one of p2p, conferencing, event" },
    { field: "recordingFormat", message: "recordingFormat must be one of hls, mp4" },
    {
      field: "recordingResolutions",
      message: "recordingResolutions must be an array of 480p, 1080p, 2160p",
    },
  ]);
  assert.equal(body.message, body.errors[0].message);
});

test("a leap second at the end of a month in UTC counts as the first second of the next month", async () => {
  const table = [
    ["2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"],
    ["2015-07-01T01:59:60.5+02:00", "2015-07-01T00:00:00.500Z"],
    ["2016-12-31T18:59:60-05:00", "2017-01-01T00:00:00.000Z"],
  ];
  for (const [scheduledDateTime, expected] of table) {
    assert.equal((await make({ scheduledDateTime })).scheduledDateTime, expected);
    const { room } = await make();
    const edited = await ask(edit, { room, roomOwnerId: owner, scheduledDateTime });
    assert.equal(edited.body.roomSetting.scheduledDateTime, expected);
  }
  for (const value of ["2016-12-31T22:59:60Z", "2016-12-30T23:59:60Z", "2016-12-31T23:59:61Z"]) {
    const sent = { name: "Board", roomOwnerId: owner, scheduledDateTime: value };
    assert.equal((await ask(create, sent)).status, 400, value);
  }
});
