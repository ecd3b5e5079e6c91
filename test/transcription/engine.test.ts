// Runs: sqlite
// Needs: speech

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { languageOfVtt, plainOf, webVttOf } from "../../contract/meetings/transcript-files.ts";
import { removeLeftovers } from "../../server/capture/program-folder.ts";
import { readConfig } from "../../server/config/config.ts";
import { takesLanguage } from "../../server/config/speech.ts";
import { commandOf, killGroup } from "../../server/lib/processes.ts";
import { openRecognizer, SpeechError } from "../../server/transcription/recognize.ts";
import {
  openSegmenter,
  RATE,
  type SpeechSegment,
  wavOf,
} from "../../server/transcription/segments.ts";
import { reportedLanguage } from "../../server/transcription/words.ts";
import { withoutSpeech } from "../run/programs.ts";
import { until } from "../world/process.ts";
import { quiet } from "./listen.ts";
import { samplesOf, sphinxCommand, startSpeechService } from "./speech.ts";

const skip = { skip: withoutSpeech() };
const KEY = "sentinel-speech-key";
const programs = { PATH: process.env.PATH ?? "" };
const never = new AbortController().signal;

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-speech-test-"));
});
after(() => rm(folder, { recursive: true, force: true }));

/** Feeds sound in pieces as a capture does. @returns the utterances that were cut out of it */
const cut = (parts: readonly Int16Array[], beginMs: number): readonly SpeechSegment[] => {
  const segmenter = openSegmenter();
  const found: SpeechSegment[] = [];
  let at = 0;
  for (const part of parts) {
    for (let from = 0; from < part.length; from += RATE / 4) {
      const piece = part.slice(from, from + RATE / 4);
      found.push(...segmenter.push(piece, beginMs + (at / RATE) * 1000));
      at += piece.length;
    }
  }
  return [...found, ...segmenter.end()];
};

const settings = (environment: Readonly<Record<string, string>>) =>
  readConfig({ DATA_DIR: folder, ...environment }).speech;

const wordsOf = async (
  environment: Readonly<Record<string, string>>,
  segments: readonly SpeechSegment[],
): Promise<readonly string[]> => {
  const speech = settings(environment);
  assert.ok(speech);
  const recognize = openRecognizer(speech, programs);
  return Promise.all(
    segments.map(async (segment) => (await recognize(wavOf(segment), never)).text),
  );
};

test("speech is cut at the pauses, with its times", skip, async () => {
  const hello = await samplesOf("hello world");
  const meeting = await samplesOf("meeting");
  const sound = [quiet(2), hello, quiet(1.5), meeting, quiet(2)];
  const [first, second, ...more] = cut(sound, 1_000_000);
  assert.deepEqual(more, []);
  assert.ok(first && second);
  const near = (ms: number, seconds: number) =>
    assert.ok(Math.abs(ms - 1_000_000 - seconds * 1000) < 900, `${ms} near ${seconds} s`);
  near(first.startMs, 2);
  near(first.endMs, 2 + hello.length / RATE);
  near(second.startMs, 3.5 + hello.length / RATE);
  assert.deepEqual(cut([quiet(5)], 0), []);
});

test(
  "speech without a pause is cut after at most 15 seconds, and nothing is lost",
  skip,
  async () => {
    const word = await samplesOf("world");
    const speech = Array.from({ length: Math.ceil((40 * RATE) / word.length) }, () => word);
    const segments = cut([quiet(1), ...speech, quiet(1)], 0);
    assert.ok(segments.length >= 3, `${segments.length} segments`);
    for (const { startMs, endMs } of segments) assert.ok(endMs - startMs <= 15_020);
    for (const [n, { startMs }] of segments.entries()) {
      const before = segments[n - 1];
      if (before !== undefined) assert.ok(startMs - before.endMs <= 40);
    }
  },
);

test("no speech stays with the speech program of a killed service", async (t) => {
  const program = join(folder, "deaf");
  await writeFile(program, "#!/bin/sh\nsleep 1000\n", { mode: 0o700 });
  const code = `
    import { openRecognizer } from "${new URL("../../server/transcription/recognize.ts", import.meta.url)}";
    const speech = { kind: "command", command: ["${program}", "{file}"] };
    await openRecognizer(speech, {})(Buffer.from("speech"), new AbortController().signal);`;
  const service = spawn(process.execPath, ["--input-type=module", "--eval", code]);
  t.after(() => service.kill("SIGKILL"));
  const listeners = () =>
    globSync(join(tmpdir(), "parley-capture-*/owner.json")).flatMap((file) => {
      const owner = JSON.parse(readFileSync(file, "utf8") || "{}");
      return owner.service === service.pid ? [{ ...owner, folder: dirname(file) }] : [];
    });
  await until("it listens", () => listeners()[0]?.program !== undefined);
  const [listener] = listeners();
  t.after(() => killGroup(listener.program));
  assert.deepEqual(readFileSync(join(listener.folder, "speech.wav"), "utf8"), "speech");
  service.kill("SIGKILL");
  await once(service, "exit");
  await removeLeftovers();
  assert.deepEqual(listeners(), []);
  await until("it has ended", async () => (await commandOf(listener.program)) === "");
});

test("a program and a service recognize the spoken words, in order", skip, async (t) => {
  const hello = await samplesOf("hello world");
  const meeting = await samplesOf("meeting");
  const segments = cut([quiet(1), hello, quiet(1.5), meeting, quiet(1)], 0);
  const command = await sphinxCommand(folder);
  const byCommand = await wordsOf({ SPEECH_COMMAND: JSON.stringify(command) }, segments);
  assert.deepEqual(byCommand, ["hello world", "meeting"]);

  // A program that reads its standard input, with a name of several words.
  const file = join(folder, "input-$$.wav");
  const onFile = command.map((word) => (word === "{file}" ? file : `'${word}'`)).join(" ");
  const onInput = ["sh", "-c", `cat > ${file}; ${onFile}`];
  const byInput = await wordsOf({ SPEECH_COMMAND: JSON.stringify(onInput) }, segments);
  assert.deepEqual(byInput, ["hello world", "meeting"]);

  const service = await startSpeechService(t, folder, KEY);
  const environment = { SPEECH_URL: service.url, SPEECH_KEY: KEY, SPEECH_MODEL: "sphinx" };
  assert.deepEqual(await wordsOf(environment, segments), ["hello world", "meeting"]);
  const once = { model: "sphinx", key: `Bearer ${KEY}`, language: null, format: "verbose_json" };
  assert.deepEqual(service.asked, [once, once]);
  await assert.rejects(wordsOf({ ...environment, SPEECH_KEY: "wrong" }, segments), SpeechError);
  await assert.rejects(wordsOf({ SPEECH_COMMAND: "false" }, segments), SpeechError);
});

test(
  "a service gets the chosen language, and otherwise reports the one that it detects",
  skip,
  async (t) => {
    const service = await startSpeechService(t, folder, KEY);
    const speech = settings({ SPEECH_URL: service.url, SPEECH_KEY: KEY });
    assert.ok(speech);
    const wav = wavOf({ samples: await samplesOf("hello world") });
    const asked = () => service.asked.map(({ language, format }) => `${language} ${format}`);
    const recognize = openRecognizer(speech, programs);
    assert.deepEqual(await recognize(wav, never), { text: "hello world", language: "en" });
    assert.equal((await recognize(wav, never, "en")).text, "hello world");
    assert.deepEqual(asked(), ["null verbose_json", "en json"]);

    // A model that answers with the text only is asked for more once.
    service.mood.isPlain = true;
    service.asked.length = 0;
    const nothingMore = { text: "hello world", language: undefined };
    for (const _ of [1, 2]) assert.deepEqual(await recognize(wav, never), nothingMore);
    assert.deepEqual(asked(), ["null verbose_json", "null json", "null json"]);
  },
);

test("a program gets the chosen language among its arguments, or auto", skip, async () => {
  const log = join(folder, "languages");
  const script = `echo "$1" >> ${log}; shift; exec "$@"`;
  const words = ["sh", "-c", script, "sh", "{language}", ...(await sphinxCommand(folder))];
  const speech = settings({ SPEECH_COMMAND: JSON.stringify(words) });
  assert.ok(speech && takesLanguage(speech));
  const wav = wavOf({ samples: await samplesOf("hello world") });
  const recognize = openRecognizer(speech, programs);
  for (const language of ["en", undefined]) {
    assert.equal((await recognize(wav, never, language)).text, "hello world");
  }
  assert.equal(readFileSync(log, "utf8"), "en\nauto\n");
  assert.ok(!takesLanguage(settings({ SPEECH_COMMAND: "whisper-cli {file}" })));
});

test("the language that an engine reports is known by its tag or its English name", () => {
  const known = (language: unknown) => reportedLanguage({ text: "", language });
  assert.deepEqual(["german", "de", "DE", "de-AT", "Cantonese"].map(known), [
    ...["de", "de", "de", "de", "yue"],
  ]);
  assert.deepEqual(["", "klingon", "xx", null, 3, {}, "d<e"].map(known), Array(7).fill(undefined));
  assert.equal(reportedLanguage("de"), undefined);
});

test("captions name their language: WebVTT the commonest in its header, others where they are", () => {
  const said = (seconds: number, text: string, language?: string) => ({
    startedAt: new Date(seconds * 1000).toISOString(),
    endedAt: new Date((seconds + 1) * 1000).toISOString(),
    peerId: "p",
    peerName: "",
    text,
    ...(language !== undefined && { language }),
  });
  const vtt = webVttOf(
    [said(0, "Hello", "en"), said(1, "Bonjour", "fr"), said(2, "Bonsoir", "fr"), said(3, "?")],
    new Date(0).toISOString(),
  );
  assert.equal(
    vtt.replaceAll(/^\S+ --> \S+\n/gm, ""),
    "WEBVTT\nLanguage: fr\n\n<lang en>Hello</lang>\n\nBonjour\n\nBonsoir\n\n?\n",
  );
  assert.equal(languageOfVtt(vtt), "fr");
  assert.equal(
    languageOfVtt(webVttOf([said(0, "Language: fr")], said(0, "").startedAt)),
    undefined,
  );
});

test("a transcript is WebVTT for players and lines for people, from a recording's beginning on", () => {
  const said = (seconds: number, text: string, peerName = "Ann <b>") => ({
    startedAt: new Date(seconds * 1000).toISOString(),
    endedAt: new Date((seconds + 2) * 1000).toISOString(),
    peerId: "p",
    peerName,
    text,
  });
  const all = [said(100, "before"), said(3725.5, "a --> b\n\nc & d"), said(3730, "end", "")];
  const zero = new Date(120_000).toISOString();
  assert.equal(
    webVttOf(all, zero),
    "WEBVTT\n\n01:00:05.500 --> 01:00:07.500\n<v Ann &lt;b&gt;>a --&gt; b c &amp; d\n\n01:00:10.000 --> 01:00:12.000\nend\n",
  );
  assert.equal(plainOf(all, zero), "[01:00:05] Ann <b>: a --> b c & d\n[01:00:10] end\n");
});

test("neither a name nor speech begins a line, a cue or a voice of a transcript", () => {
  const ends = ["\n", "\r\n", "\u2028", "\u2029", "\x85", "\v", "\f", "\n\n"];
  const forged = ends.map(
    (end) => `${end}00:00:09.000 --> 00:00:10.000${end}<v Eve>[00:00:09] Eve: I`,
  );
  const texts = ["Ann", "\u202eAnn\x1b[1m", "\u200f", ...forged];
  const [zero, later] = [0, 1000].map((ms) => new Date(ms).toISOString()) as [string, string];
  const all = texts.flatMap((peerName) =>
    texts.map((text) => ({ startedAt: zero, endedAt: later, peerId: "p", peerName, text })),
  );
  const lines = plainOf(all, zero).split(/\r\n|[\n\r\v\f\x85\u2028\u2029]/);
  assert.equal(lines.length, all.length + 1);
  for (const line of lines.slice(0, -1)) assert.match(line, /^\[00:00:00\] /);
  const cues = webVttOf(all, zero).split(/\r\n|[\n\r\v\f\x85\u2028\u2029]/);
  assert.equal(cues.length, 1 + 3 * all.length + 1);
  assert.equal(cues.filter((line) => line.includes("-->")).length, all.length);
  assert.ok(cues.every((line) => (line.match(/</g) ?? []).length <= 1));
  for (const file of [...lines, ...cues]) assert.doesNotMatch(file, /[\p{Cc}\p{Bidi_Control}]/u);
});

test("an incomplete piece of sound is sent when its person mutes or leaves", async () => {
  const sent: { readonly data: { readonly samples: ArrayBuffer; readonly ago: number } }[] = [];
  const port = { onmessage: () => {}, postMessage: (data: never) => sent.push({ data }) };
  let Voice: (new () => { process(inputs: readonly Float32Array[][]): boolean }) | undefined;
  // Replaces a browser's audio thread.
  Object.assign(globalThis, {
    AudioWorkletProcessor: class {
      readonly port = port;
    },
    registerProcessor: (_name: string, given: typeof Voice) => {
      Voice = given;
    },
  });
  await import("../../console/capture/voice-processor.ts");
  assert.ok(Voice);
  const voice = new Voice();
  const quantum = new Float32Array(128).fill(0.5);
  for (let n = 0; n < 40; n += 1) assert.equal(voice.process([[quantum]]), true);
  port.onmessage();
  const samples = sent.map(({ data }) => data.samples.byteLength / 2);
  assert.deepEqual(samples, [4_000, 1_120]);
  assert.deepEqual(
    sent.map(({ data }) => data.ago),
    [250, 70],
  );
  assert.equal(voice.process([[quantum]]), false, "it computes no more");
});

test("a wrong setting of the speech engine is refused at the start", () => {
  const service = { SPEECH_URL: "http://127.0.0.1:9" };
  assert.deepEqual(settings(service), {
    kind: "service",
    url: "http://127.0.0.1:9/v1/audio/transcriptions",
    key: undefined,
    model: "whisper-1",
  });
  assert.throws(() => settings({ SPEECH_URL: "ftp://x" }), /SPEECH_URL/);
  assert.throws(() => settings({ ...service, SPEECH_COMMAND: "x" }), /both set/);
  assert.throws(() => settings({ SPEECH_COMMAND: '["a", 1]' }), /SPEECH_COMMAND/);
});
