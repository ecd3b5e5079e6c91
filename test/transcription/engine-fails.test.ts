// Needs: speech

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type * as Recognize from "../../server/transcription/recognize.ts";
import type * as Transcribe from "../../server/transcription/transcribe.ts";
import { enter } from "../meetings/inside.ts";
import { newPlace } from "../meetings/place.ts";
import { runningWith } from "../recordings/recorders.ts";
import { hasty, noticesNothing } from "../twins/still.ts";
import { testTwin } from "../twins/test-twin.ts";
import { importFrom, type Twin } from "../twins/twin.ts";
import { endlessAnswer, type HttpAnswer, startAnswering } from "../world/answering.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import { listen, meetingOf, transcribed } from "./listen.ts";

const world = await startWorld(test, { environment: { SPEECH_COMMAND: "true" } });
const never = new AbortController().signal;
const speech = Buffer.from("speech");

/** A speech service whose answers the test decides. @returns how often it was asked */
const answering = async (t: TestContext, answer: HttpAnswer) => {
  let asked = 0;
  const url = await startAnswering(t, (...call) => {
    asked += 1;
    answer(...call);
  });
  const service = { kind: "service", key: undefined, model: "m" } as const;
  return { ...service, url: `${url}/v1`, asked: () => asked };
};

const open = async (twin?: Twin) => {
  const { openRecognizer } = await importFrom<typeof Recognize>(twin, "transcription/recognize.ts");
  return openRecognizer;
};

test("a speech service that never answers is asked once, and abandoned", async (t) => {
  const service = await answering(t, () => {});
  const recognize = (await open(hasty({ speech: 1_000 })))(service, {});
  await assert.rejects(recognize(speech, never), { name: "SpeechError" });
  assert.equal(service.asked(), 1);
});

test("an answer of a speech service without text is an error", async (t) => {
  for (const body of [
    { error: "no" },
    { text: null },
    { text: 42 },
    { text: '{"error": "no"}' },
    { text: "<!doctype html>" },
  ]) {
    const service = await answering(t, (_request, response) => response.end(JSON.stringify(body)));
    const recognize = (await open())(service, {});
    await assert.rejects(recognize(speech, never), { name: "SpeechError" }, JSON.stringify(body));
  }
});

test("an endless answer of a speech service is not kept", async (t) => {
  const endless = endlessAnswer(64);
  const service = await answering(t, endless.answer);
  const recognize = (await open())(service, {});
  await assert.rejects(recognize(speech, never), { name: "SpeechError" });
  await endless.assertAbandoned();
});

test("a speech program that hangs is ended with everything that it started", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "parley-still-speech-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const program = join(folder, "engine");
  await writeFile(program, "#!/bin/sh\nsleep 1000 &\nkill -STOP $$\n", { mode: 0o700 });
  const recognize = (await open(hasty({ speech: 1_000 })))(
    { kind: "command", command: [program, "{file}"] },
    { PATH: process.env.PATH ?? "" },
  );
  await assert.rejects(recognize(speech, never), { name: "SpeechError" });
  assert.deepEqual(runningWith(program), []);
});

/** The speech engine answers nothing, and later in time. */
const waitInVain = async (t: TestContext, twin: Twin, patience?: number): Promise<void> => {
  const { carryOutTranscription: carryOut } = await importFrom<typeof Transcribe>(
    twin,
    "transcription/transcribe.ts",
  );
  const place = await newPlace(world);
  const ada = await enter(t, { url: world.url, ask: place.asAdmin }, "r");
  await transcribed(place, meetingOf(ada));
  let error: string | null | undefined;
  const meeting = await listen(t, world, meetingOf(ada), {
    carryOut,
    tell: async (_state, told) => {
      error = told ?? null;
    },
  });
  const answer = meeting.hold();
  meeting.say(ada.peerId, "hello");
  // Answered in any case: the end waits for it.
  await until("moderators know", () => error === "speech", patience).finally(answer);
  let at = Date.now();
  await until("it is over once it answers in time", () => {
    at += 10_000;
    meeting.begin(ada.peerId, at)("more");
    return error === null;
  });
};

test("moderators read that the speech engine does not answer, and when it does again", (t) =>
  waitInVain(t, hasty({ lateSpeech: 1_000 })));

testTwin("a twin that does not notice it is detected", async (t) => {
  await assert.rejects(waitInVain(t, noticesNothing, 15_000), /in vain: moderators know/);
});
