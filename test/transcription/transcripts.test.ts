// Runs: waits

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { carryOutTranscription } from "../../server/transcription/transcribe.ts";
import { writeDown } from "../../server/transcription/write-down.ts";
import { enter, type Somebody } from "../meetings/inside.ts";
import { newPlace } from "../meetings/place.ts";
import { addRecorder } from "../recordings/rows.ts";
import { keepsAsWritten, keepsEverybody } from "../twins/runs.ts";
import { testTwin } from "../twins/test-twin.ts";
import { importFrom, type Twin } from "../twins/twin.ts";
import { askAs } from "../world/ask.ts";
import { until } from "../world/process.ts";
import type { Tenant } from "../world/tenant.ts";
import { startWorld } from "../world/world.ts";
import { heard, listen, loud, meetingOf, quiet, transcribed } from "./listen.ts";

/*
 * The handling of recognized speech. Tests with a real speech engine cover recognition.
 */

const world = await startWorld(test, { environment: { SPEECH_COMMAND: "true" } });
const { url, open } = world;
/** A service whose speech engine takes a language. */
const choosing = await startWorld(test, { environment: { SPEECH_COMMAND: "true {language}" } });
await addRecorder(choosing.database);

const rowOf = (meetingId: string) =>
  world.database.read
    .selectFrom("meetings")
    .select(["id", "room_id"])
    .where("id", "=", meetingId)
    .executeTakeFirstOrThrow();

const from = Date.now();
const time = (seconds: number): string => new Date(from + 3_600_000 + seconds * 1000).toISOString();

/** Stores somebody's words, as a transcription does. */
const say = (
  { tenant }: { readonly tenant: Tenant },
  { peerId, view }: Somebody,
  at: number,
  text: string,
  kept = true,
  language: string | null = null,
): Promise<void> =>
  rowOf(view?.meeting.meetingId ?? "").then((meeting) =>
    writeDown(
      world.database,
      { meeting_id: meeting.id, organization_id: tenant.id, room_id: meeting.room_id },
      { seatId: peerId, kept, startMs: Date.parse(time(at)), endMs: Date.parse(time(at + 1)) },
      { text, language },
    ),
  );

test("captions reach people who see the speaker, and nobody else", async (t) => {
  const place = await newPlace(world, { participantPrivacy: true });
  const guest = (peerName: string) => enter(t, { url, ask: open }, place.code, { peerName });
  const ada = await enter(t, { url, ask: place.asAdmin }, "r");
  const ben = await guest("Ben");
  const cleo = await guest("Cleo");
  await transcribed(place, meetingOf(ada));
  await ben.sees("that it is transcribed", ({ meeting }) => meeting.transcribing);
  const { invitation } = (await open("fetchInvitation", { roomId: place.code })).body;
  assert.equal(invitation.transcribing, true, "known before one enters");
  await say(place, ada, 1, "hello");
  await say(place, ben, 2, "a secret of Ben");
  await say(place, ada, 3, "goodbye");
  for (const one of [ada, ben, cleo]) {
    await until("the last is heard", () => heard(one).some((text) => text.includes("goodbye")));
  }
  const administrator = ada.view?.you.peerName;
  const all = [`${administrator}: hello`, "Ben: a secret of Ben", `${administrator}: goodbye`];
  assert.deepEqual(heard(ada), all);
  assert.deepEqual(heard(ben), all);
  assert.deepEqual(heard(cleo), [all[0], all[2]]);
  // A later person reads the words from then on.
  const dan = await guest("Dan");
  await say(place, ada, 4, "welcome Dan");
  await until("Dan reads", () => heard(dan).length > 0);
  assert.deepEqual(heard(dan), [`${administrator}: welcome Dan`]);
});

test("a transcript is read, searched and deleted by administrators and the room's owners only", async (t) => {
  const place = await newPlace(world);
  const { tenant, asMember, asAdmin } = place;
  const ada = await enter(t, { url, ask: asAdmin }, "r");
  const mia = await enter(t, { url, ask: asMember }, "r");
  const meetingId = meetingOf(ada);
  await say(place, ada, 1, "The Ünited budget");
  await say(place, mia, 2, "100% of it");
  const { status, body } = await tenant.ask("getTranscript", { meetingId });
  assert.equal(status, 200);
  const { spoken, plain, webVtt } = body.transcript;
  assert.deepEqual(
    spoken.map(({ text }: { readonly text: string }) => text),
    ["The Ünited budget", "100% of it"],
  );
  assert.match(plain, /^\[[\d:]{8}\] Administrator: The Ünited budget\n/);
  assert.match(webVtt, /^WEBVTT\n\n[\d:]{8}\.\d{3} --> /);
  const later = await tenant.ask("getTranscript", { meetingId, from: time(2.5) });
  assert.match(later.body.transcript.plain, /^\[00:00:00\] Mia Member: 100% of it\n$/);
  const ended = await tenant.ask("getTranscript", { meetingId, from: time(0), to: time(2) });
  assert.equal(ended.body.transcript.plain, "[00:00:01] Administrator: The Ünited budget\n");
  assert.equal(ended.body.transcript.webVtt.includes("100%"), false);

  const find = async (search: string, ask = tenant.ask) =>
    (await ask("searchTranscripts", { search })).body.found.map(
      ({ text }: { readonly text: string }) => text,
    );
  assert.deepEqual(await find("üNITED"), ["The Ünited budget"]);
  assert.deepEqual(await find("0% o"), ["100% of it"]);
  assert.deepEqual(await find("_"), []);
  const stranger = await newPlace(world);
  for (const ask of [asMember, stranger.tenant.ask]) {
    assert.deepEqual(await find("budget", ask), []);
    for (const operation of ["getTranscript", "deleteTranscript"] as const) {
      const refused = await ask(operation, { meetingId });
      assert.deepEqual([refused.status, refused.body.code], [404, "meeting_not_found"]);
    }
  }
  await place.edit({ roomOwnerId: place.member.id });
  assert.deepEqual(await find("budget", asMember), ["The Ünited budget"]);

  // The words of a permanently deleted person are erased; those of others stay.
  await tenant.ask("revokeUsers", [{ userId: place.member.id }]);
  await tenant.ask("deleteUsers", [place.member.id]);
  await until("the words are erased", async () => {
    const { spoken } = (await tenant.ask("getTranscript", { meetingId })).body.transcript;
    return (
      spoken.map(({ peerName }: { readonly peerName: string }) => peerName).join() ===
      "Administrator"
    );
  });
  assert.equal((await tenant.ask("deleteTranscript", { meetingId })).status, 200);
  assert.deepEqual((await tenant.ask("getTranscript", { meetingId })).body.transcript.spoken, []);
});

/** The stored words of a meeting, in every place that shows them, and in the table. */
const keptOf = async ({ tenant }: { readonly tenant: Tenant }, meetingId: string) => {
  const { spoken, plain, webVtt } = (await tenant.ask("getTranscript", { meetingId })).body
    .transcript;
  const { found } = (await tenant.ask("searchTranscripts", { search: "word", limit: 100 })).body;
  const rows = await world.database.read
    .selectFrom("captions")
    .select("text")
    .where("meeting_id", "=", meetingId)
    .orderBy("number")
    .execute();
  // If two utterances are recognized at the same time, either may be stored first.
  const texts = (some: readonly { readonly text: string }[]) =>
    some.map(({ text }) => text).toSorted();
  return {
    ...{ spoken: texts(spoken), found: texts(found), rows: texts(rows) },
    files: [plain, webVtt].map((file: string) => (file.match(/\w+ word/g) ?? []).toSorted()),
  };
};

/**
 * In a room that records only its moderators, everybody is captioned, but only moderators' words are kept.
 */
const keepRecorded = async (t: TestContext, twin?: Twin): Promise<void> => {
  const real = { carryOutTranscription };
  const module = twin ? await importFrom<typeof real>(twin, "transcription/transcribe.ts") : real;
  const place = await newPlace(world, { enableRecording: true, recordModerator: true });
  const ada = await enter(t, { url, ask: place.asAdmin }, "r");
  const ben = await enter(t, { url, ask: open }, place.code, { peerName: "Ben" });
  const meetingId = meetingOf(ada);
  await transcribed(place, meetingId);
  await ben.sees("that it is transcribed", ({ meeting }) => meeting.transcribing);
  const meeting = await listen(t, world, meetingId, {
    carryOut: module.carryOutTranscription,
  });
  const record = async (recordModerator: boolean, recordParticipant: boolean): Promise<void> => {
    await place.edit({ recordModerator, recordParticipant });
    await meeting.knows(
      "who is recorded",
      ({ room, seats }) =>
        seats.length === 2 &&
        room.recordModerator === recordModerator &&
        room.recordParticipant === recordParticipant,
    );
  };
  await record(true, false);
  meeting.say(ada.peerId, "recorded word");
  meeting.say(ben.peerId, "private word");
  for (const one of [ada, ben]) {
    await until("both are read", () => heard(one).length === 2);
    assert.deepEqual(
      heard(one)
        .map((text) => text.replace(/^.*: /, ""))
        .toSorted(),
      ["private word", "recorded word"],
    );
  }
  const { rows, ...shown } = await keptOf(place, meetingId);
  const files = [["recorded word"], ["recorded word"]];
  assert.deepEqual(shown, { spoken: ["recorded word"], found: ["recorded word"], files });

  // The room's settings at the time of speaking count, however much later speech is recognized.
  const understand = meeting.hold();
  meeting.say(ada.peerId, "early word");
  meeting.say(ben.peerId, "hidden word");
  const endBefore = meeting.begin(ben.peerId);
  await record(false, true);
  endBefore("half word");
  meeting.say(ada.peerId, "unwanted word");
  meeting.say(ben.peerId, "later word");
  // In an hour: it ends after the change, however long that takes.
  const endAfter = meeting.begin(ben.peerId, Date.now() + 3_600_000);
  await record(true, false);
  endAfter("cut word");
  understand();
  await until("all are read", () => heard(ada).length === 8);
  const now = ["early word", "later word", "recorded word"];
  assert.deepEqual((await keptOf(place, meetingId)).spoken, now);

  // Words that nobody is shown any more are erased while the meeting lasts ...
  for (let n = 0; n < 20; n += 1) await say(place, ben, 4 + n, "more word", false);
  assert.equal((await keptOf(place, meetingId)).rows.includes("private word"), false);
  // ... and the rest at its end; words recognized too late are not stored at all.
  const understandLast = meeting.hold();
  meeting.say(ben.peerId, "late word");
  meeting.say(ada.peerId, "last word");
  for (const one of [ben, ada]) await one.do("leave", {});
  understandLast();
  await meeting.end();
  const kept = [...now, "last word"].toSorted();
  assert.deepEqual(await keptOf(place, meetingId), {
    ...{ spoken: kept, found: kept, rows: kept, files: [kept, kept] },
  });
};

test("in a recorded room only words of recorded people are kept, and everybody is captioned meanwhile", (t) =>
  keepRecorded(t));

testTwin("a twin that keeps everybody's words is detected", async (t) => {
  await assert.rejects(keepRecorded(t, keepsEverybody), assert.AssertionError);
});

testTwin(
  "a twin that decides by the room's settings at recognition time is detected",
  async (t) => {
    await assert.rejects(keepRecorded(t, keepsAsWritten), assert.AssertionError);
  },
);

test("words from before a person mutes or leaves are captioned without further sound", async (t) => {
  const place = await newPlace(world);
  const ada = await enter(t, { url, ask: place.asAdmin }, "r");
  const ben = await enter(t, { url, ask: open }, place.code, { peerName: "Ben" });
  await transcribed(place, meetingOf(ada));
  await ben.sees("that it is transcribed", ({ meeting }) => meeting.transcribing);
  const meeting = await listen(t, world, meetingOf(ada));
  meeting.expect("And nothing more.");
  meeting.hear(ada.peerId, quiet(0.25), meeting.hear(ada.peerId, loud(2)));
  await until("Ben reads it", () => heard(ben).length === 1);
  meeting.expect("Goodbye.");
  meeting.hear(ada.peerId, loud(1));
  await ada.do("leave", {});
  await until("Ben reads that too", () => heard(ben).length === 2);
  await meeting.end();
});

test("a transcription whose start cannot be stored leaves no capture behind", async (t) => {
  const place = await newPlace(world);
  const ada = await enter(t, { url, ask: place.asAdmin }, "r");
  await transcribed(place, meetingOf(ada));
  const tell = async (state: string): Promise<void> => {
    if (state === "live") throw new Error("The database is away.");
  };
  const meeting = await listen(t, world, meetingOf(ada), { tell });
  await until("its capture has ended", meeting.hasStopped);
});

test("nothing said in a room stays after its deletion", async (t) => {
  const place = await newPlace(world);
  const ada = await enter(t, { url, ask: place.asAdmin }, "r");
  await say(place, ada, 1, "a last word");
  await place.tenant.ask("leaveRoom", { ticket: ada.ticket });
  await place.tenant.ask("deleteRoom", { id: "r" });
  const left = () =>
    world.database.read
      .selectFrom("captions")
      .select("text")
      .where("meeting_id", "=", meetingOf(ada))
      .execute();
  await until("the words are gone", async () => (await left()).length === 0);
});

test("a transcription begins only if the settings and the machine allow it", async (t) => {
  const { tenant, asAdmin, edit } = await newPlace(world);
  const start = async (ask = tenant.ask) => {
    const { status, body } = await ask("startTranscription", { roomId: "r" });
    return [status, body.code];
  };
  assert.deepEqual(await start(), [409, "no_meeting"]);
  await enter(t, { url, ask: asAdmin }, "r");
  assert.deepEqual(await start(), [409, "transcription_off"]);
  await edit({ enableTranscription: true });
  assert.deepEqual(await start(), [503, "recorder_missing"]);

  const mute = await startWorld(t);
  const there = await newPlace(mute, { enableTranscription: true });
  await enter(t, { url: mute.url, ask: askAs(mute.url, there.tenant.token) }, "r", {
    peerName: "K",
  });
  assert.deepEqual(await start(there.tenant.ask), [409, "speech_missing"]);
});

/** The languages that captions, transcript, search and WebVTT name. */
const languagesIn = async (tenant: Tenant, somebody: Somebody) => {
  const meetingId = meetingOf(somebody);
  const captions = somebody.messages.flatMap((one) => (one.type === "captions" ? one.spoken : []));
  const { spoken, webVtt } = (await tenant.ask("getTranscript", { meetingId })).body.transcript;
  const { found } = (await tenant.ask("searchTranscripts", { search: "word" })).body;
  const language = (one: object) => ("language" in one ? one.language : "none");
  return [captions, spoken, found]
    .map((some) => some.map(language).join())
    .concat(/^Language: (.*)$/m.exec(webVtt)?.[1] ?? "none");
};

test("captions have the language of the moderator, else of the organization, else of the engine", async (t) => {
  for (const { usual, language, detected, asked, is } of [
    { language: "fr", detected: undefined, asked: "fr", is: "fr" },
    { language: undefined, detected: "uk", is: "uk" },
    { language: undefined, detected: undefined, is: "none" },
    { usual: "de", language: undefined, asked: "de", is: "de" },
    { usual: "de", language: "fr", asked: "fr", is: "fr" },
    { usual: "de", language: null, detected: "uk", is: "uk" },
  ] as const) {
    const { tenant, asAdmin } = await newPlace(choosing, { enableTranscription: true });
    if (usual) await tenant.ask("editOrganization", { speechLanguage: usual });
    const { invitation } = (await asAdmin("fetchInvitation", { roomId: "r" })).body;
    assert.equal(invitation.speechLanguage, usual);
    const ada = await enter(t, { url: choosing.url, ask: asAdmin }, "r");
    assert.equal(ada.view?.allowed.speechLanguage, true);
    assert.equal(
      await ada.do("startTranscription", { ...(language !== undefined && { language }) }),
      "ok",
    );
    const meeting = await listen(t, choosing, meetingOf(ada), { ...(detected && { detected }) });
    await meeting.knows("whose words are kept", ({ seats }) => seats.length === 1);
    meeting.say(ada.peerId, "a word");
    await until("it is read", () => heard(ada).length === 1);
    assert.deepEqual(meeting.asked, [asked]);
    assert.deepEqual(await languagesIn(tenant, ada), [is, is, is, is]);
  }
});

test("a language is refused where the speech engine takes none, and if it is unknown", async (t) => {
  const { tenant, asAdmin } = await newPlace(world, { enableTranscription: true });
  const ada = await enter(t, { url, ask: asAdmin }, "r");
  assert.equal(ada.view?.allowed.transcribe, true);
  assert.equal(ada.view?.allowed.speechLanguage, undefined);
  for (const [language, code] of [
    ["fr", "not_accepted"],
    ["klingon", "not_one_of"],
  ]) {
    const { status, body } = await tenant.ask("startTranscription", { roomId: "r", language });
    const [error] = body.errors;
    assert.deepEqual([status, error.field, error.code], [400, "language", code]);
  }
  await addRecorder(world.database);
  await tenant.ask("editOrganization", { speechLanguage: "fr" });
  assert.equal(await ada.do("startTranscription"), "ok", "the organization's refuses nothing");
  const { language } = await world.database.read
    .selectFrom("runs")
    .select("language")
    .where("meeting_id", "=", meetingOf(ada))
    .executeTakeFirstOrThrow();
  assert.equal(language, null);
});
