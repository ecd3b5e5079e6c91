import assert from "node:assert/strict";
import { test } from "node:test";
import { saidIn } from "../world/reasons.ts";
import { saidBody } from "../world/refusals.ts";
import { startWorld } from "../world/world.ts";
import { about, defaults, extras, failure, others, typedFailure, types } from "./expected.ts";
import { type Home, newHome, ROOMS, type RoomAnswer } from "./home.ts";

const world = await startWorld(test);
const edit = `PUT ${ROOMS}`;

/** Stored values that no request could have sent (interface.md, Response record). */
const words = {
  roomType: "meeting",
  recordingFormat: "webm",
  recordingStrategy: "separate",
  recordingResolutions: ["720p", "480p"],
};
const sets = {
  roomType: "must be one of p2p, conferencing, event",
  recordingFormat: "must be one of hls, mp4",
  recordingStrategy: "must be one of mergedA, mergedAV, AmergedAV",
  recordingResolutions: "must be an array of 480p, 1080p, 2160p",
};

/** Writes the row of a room directly to the database. */
const store = (
  home: Home,
  room: string,
  row: { readonly record?: object; readonly extras?: object; readonly form?: number },
) =>
  home.change(({ tx, organization }) =>
    tx
      .updateTable("rooms")
      .set({
        ...(row.record ? { record: JSON.stringify(row.record) } : {}),
        ...(row.extras ? { extras: JSON.stringify(row.extras) } : {}),
        ...(row.form === undefined ? {} : { form: row.form }),
      })
      .where("organization_id", "=", organization.id)
      .where("room", "=", room)
      .execute(),
  );
const rowOf = (home: Home, room: string) =>
  world.database.read
    .selectFrom("rooms")
    .selectAll()
    .where("organization_id", "=", home.id)
    .where("room", "=", room)
    .executeTakeFirstOrThrow();

/** A room with stored values outside the documented sets. */
const odd = async (home: Home): Promise<RoomAnswer> => {
  const record = { ...(await home.room({ room: "odd" })), ...words };
  await store(home, "odd", { record });
  return record;
};

test("a room with stored words outside the documented sets is fetched and listed with them", async () => {
  const home = await newHome(world);
  const record = await odd(home);
  assert.deepEqual(await home.fetched("odd"), record);
  const { body } = await home.ask(`GET ${ROOMS}/paginated`);
  assert.deepEqual(body.roomSettings, [record]);
});

test("a room with such words can be edited, even with its whole record sent back, and keeps them", async () => {
  const home = await newHome(world);
  const record = await odd(home);
  const back = await home.ask(edit, record);
  assert.deepEqual({ ...back.body.roomSetting, ...words }, back.body.roomSetting);
  const { body } = await home.ask(edit, { room: "odd", roomOwnerId: home.owner, name: "New" });
  assert.deepEqual({ ...body.roomSetting, ...words, name: "New" }, body.roomSetting);
  const fewer = { room: "odd", roomOwnerId: home.owner, recordingResolutions: ["1080p", "720p"] };
  const part = await home.ask(edit, fewer);
  assert.deepEqual(part.body.roomSetting.recordingResolutions, ["1080p", "720p"]);
});

for (const [field, phrase] of Object.entries(sets)) {
  const value = words[field as keyof typeof words];
  const said = about(field, phrase);

  test(`${field}: a word outside the set is refused where it is not stored`, async () => {
    const home = await newHome(world);
    const { name, room } = await home.room();
    const sent = { roomOwnerId: home.owner, name: "New", [field]: value };
    const { status, body } = await home.ask(edit, { ...sent, room });
    assert.deepEqual([status, saidBody(body)], [400, typedFailure(types.edit, ...said)]);
    assert.equal((await home.fetched(room)).name, name);
    const created = await home.ask(`POST ${ROOMS}`, sent);
    assert.equal(created.status, 400);
    if (typeof value === "string") assert.deepEqual(saidBody(created.body), failure(...said));
  });

  test(`${field}: a stored word that was replaced is refused from then on`, async () => {
    const home = await newHome(world);
    await odd(home);
    const sent = { room: "odd", roomOwnerId: home.owner };
    const other =
      field === "recordingResolutions" ? ["480p"] : others[field as keyof typeof others];
    assert.equal((await home.ask(edit, { ...sent, [field]: other })).status, 200);
    const { status, body } = await home.ask(edit, { ...sent, [field]: value });
    assert.deepEqual([status, saidBody(body)], [400, typedFailure(types.edit, ...said)]);
  });

  test(`${field}: another word outside the set is refused where one is stored`, async () => {
    const home = await newHome(world);
    const record = await odd(home);
    const more = Array.isArray(value) ? ["720p", "360p"] : "other";
    const { status, body } = await home.ask(edit, { ...record, [field]: more });
    assert.deepEqual([status, saidBody(body)], [400, typedFailure(types.edit, ...said)]);
    assert.deepEqual(await home.fetched("odd"), record);
  });
}

test("an edit reports all faults at once, including those that depend on the stored room", async () => {
  const home = await newHome(world);
  const record = await odd(home);
  const faulty = {
    room: "odd",
    roomOwnerId: `${home.owner},nobody`,
    noOfViewers: -1,
    roomType: "other",
    recordingFormat: 1,
    recordingResolutions: ["720p", "360p"],
  };
  const { status, body } = await home.ask(edit, faulty);
  assert.equal(status, 400);
  const first = "noOfViewers must be a whole number from 0 to 1000000";
  const messages = [
    first,
    "recordingFormat must be text of at most 64 characters",
    "roomOwnerId must name accounts of the organization that are not revoked (number 2 of 2 does not)",
    "roomType must be one of p2p, conferencing, event",
    "recordingResolutions must be an array of 480p, 1080p, 2160p",
  ];
  const errors = messages.map((message) => ({ field: message.replace(/ .*/, ""), message }));
  assert.deepEqual(saidBody(body), typedFailure(types.edit, "invalid_input", first, errors));
  const { noOfViewers, recordingFormat, ...stored } = faulty;
  const { body: readable } = await home.ask(edit, stored);
  assert.deepEqual(saidIn(readable.errors), errors.slice(2));
  assert.deepEqual(await home.fetched("odd"), record);
});

test("an edit of an unknown or foreign room reports only the faults of its input", async () => {
  const [home, other] = [await newHome(world), await newHome(world)];
  await odd(other);
  for (const room of ["odd", "nowhere", [], undefined]) {
    const { body } = await home.ask(edit, { room, roomType: "other", noOfViewers: -1 });
    const fields = body.errors.map(({ field }: { readonly field: string }) => field);
    const own = ["roomOwnerId", "noOfViewers"];
    assert.deepEqual(fields, typeof room === "string" ? own : ["room", ...own]);
  }
});

/** Forms are numbers without an order: those of other versions may be smaller or larger. */
const OTHER_FORMS = [0, 2 ** 31 - 1];

/** A row as an older Parley wrote it: without settings that were added later. */
const older = async (home: Home, form: number) => {
  const { room, ...facts } = await home.room({ room: "old", roomAgenda: "kept" });
  const { noOfViewers, enablePresenters, roomPermalink, roomAgenda, ...left } = facts;
  await store(home, "old", {
    record: { room, roomAgenda, ...left },
    extras: { camera: "kept" },
    form,
  });
  return { room, ...facts };
};

for (const form of OTHER_FORMS) {
  test(`a row of form ${form} is answered whole, with defaults for what it does not hold`, async () => {
    const home = await newHome(world);
    const current = await home.room({ room: "new" });
    const record = await older(home, form);
    assert.deepEqual(await home.fetched("old"), record);
    const { body } = await home.ask(`GET ${ROOMS}/paginated`);
    assert.deepEqual(
      new Map(body.roomSettings.map((one: RoomAnswer) => [one.room, one])),
      new Map([record, current].map((one) => [one.room, one])),
    );
    assert.deepEqual({ ...record, ...defaults, roomAgenda: "kept" }, record);
    assert.equal((await rowOf(home, "old")).form, form);
  });

  test(`a row of form ${form} is rewritten by its next edit`, async () => {
    const home = await newHome(world);
    const record = await older(home, form);
    const { body } = await home.ask(edit, { room: "old", roomOwnerId: home.owner, name: "New" });
    const { updatedAt } = body.roomSetting;
    const expected = { ...record, name: "New", updatedAt };
    const row = await rowOf(home, "old");
    assert.deepEqual(
      { ...body.roomSetting, ...expected, ...extras, camera: "kept" },
      body.roomSetting,
    );
    assert.deepEqual(JSON.parse(row.record), expected);
    assert.deepEqual(JSON.parse(row.extras), { ...extras, camera: "kept" });
    assert.notEqual(row.form, form);
    assert.deepEqual(await home.fetched("old"), expected);
  });
}

test("a stored address to which nothing can be streamed stays, and is refused as a new one", async () => {
  const home = await newHome(world);
  const record = { ...(await home.room({ room: "old" })), liveStreamUrl: "https://a.test/live" };
  await store(home, "old", { record });
  assert.equal((await home.ask(edit, record)).status, 200);
  const message =
    "liveStreamUrl must begin with rtmp:// or rtmps:// and have a path, such as rtmps://live.example.org/app";
  for (const liveStreamUrl of ["https://b.test/live", "rtmp://b.test"]) {
    const { status, body } = await home.ask(edit, { ...record, liveStreamUrl });
    assert.deepEqual([status, saidIn(body.errors)], [400, [{ field: "liveStreamUrl", message }]]);
  }
});
