import assert from "node:assert/strict";
import { pino } from "pino";
import type { SpeechLanguage } from "../../contract/kit/speech-languages.ts";
import type { ServerMessage } from "../../contract/meetings/socket.ts";
import type { Capture, OnSound } from "../../server/capture/capture.ts";
import type { Running } from "../../server/live/runner.ts";
import type { Snapshot } from "../../server/meetings/state/snapshot.ts";
import { Hub } from "../../server/socket/hub.ts";
import { RATE } from "../../server/transcription/segments.ts";
import { carryOutTranscription } from "../../server/transcription/transcribe.ts";
import type { Somebody } from "../meetings/inside.ts";
import { runElsewhere } from "../meetings/run-elsewhere.ts";
import type { Scope } from "../world/empty-database.ts";
import { until } from "../world/process.ts";
import type { Tenant } from "../world/tenant.ts";
import type { World } from "../world/world.ts";

/** A tone of this many seconds. */
export const loud = (seconds: number): Int16Array =>
  Int16Array.from({ length: seconds * RATE }, (_, n) => 8_000 * Math.sin(n / 5));

/** The noise of a quiet room for this many seconds. */
export const quiet = (seconds: number): Int16Array =>
  Int16Array.from({ length: seconds * RATE }, (_, n) => ((n * 7919) % 41) - 20);

/** The ID of the meeting that a person is in. */
export const meetingOf = ({ view }: Somebody): string => view?.meeting.meetingId ?? "";

/** A transcription that another process carries out. */
export const transcribed = (
  { tenant }: { readonly tenant: Tenant },
  meetingId: string,
): Promise<void> =>
  tenant.change((change) =>
    runElsewhere(change, meetingId, {
      id: `run-${meetingId}`,
      topic: "transcription",
      kind: null,
    }),
  );

/** The captions that a person was shown. */
export const heard = ({ messages }: Somebody): readonly string[] =>
  messages
    .filter((one): one is Extract<ServerMessage, { type: "captions" }> => one.type === "captions")
    .flatMap(({ spoken }) => spoken.map(({ peerName, text }) => `${peerName}: ${text}`));

const nothing = new Int16Array(0);

/** Transcribes a meeting with a test's sound and the test's recognition results. */
export const listen = async (
  t: Scope,
  { database }: Pick<World, "database">,
  meetingId: string,
  {
    carryOut = carryOutTranscription,
    tell = async () => {},
    detected,
  }: Partial<Pick<Running, "tell">> & {
    readonly carryOut?: typeof carryOutTranscription;
    /** The language that the engine reports. */
    readonly detected?: SpeechLanguage;
  } = {},
) => {
  const hub = new Hub({
    database,
    processId: "listening",
    mediaOf: () => ({ type: "direct", url: null, iceServers: [] }),
    onError: (error) => assert.fail(String(error)),
  });
  const run = await database.read
    .selectFrom("runs")
    .selectAll()
    .where("meeting_id", "=", meetingId)
    .executeTakeFirstOrThrow();
  const over = new AbortController();
  const sound = Promise.withResolvers<OnSound>();
  const stopped = Promise.withResolvers<Awaited<Capture["ended"]>>();
  let hasStopped = false;
  const words: string[] = [];
  /** The language of each question to the engine. */
  const asked: (string | undefined)[] = [];
  let held = Promise.resolve();
  const done = carryOut({
    database,
    hub,
    log: pino({ level: "silent" }),
    captures: {
      start: async ({ onSound }) => {
        sound.resolve(onSound ?? assert.fail("It asks for no sound."));
        return {
          ending: stopped.promise.then(() => {}),
          ended: stopped.promise,
          stop: async () => {
            hasStopped = true;
            stopped.resolve({ how: "stopped" });
            return stopped.promise;
          },
        };
      },
    },
    recognize: async (_wav, _signal, language) => {
      const text = words.shift() ?? assert.fail("Nothing was said.");
      asked.push(language);
      await held;
      return { text, language: detected };
    },
  })({ run, signal: over.signal, tell });
  const end = async (): Promise<void> => {
    over.abort();
    await done;
    await hub.stop();
  };
  t.after(end);
  const onSound = await sound.promise;
  let snapshot: Snapshot | undefined;
  // Registered after the transcription's own follower: every check reaches both.
  hub.follow(meetingId, (seen) => {
    snapshot = seen;
  });

  return {
    asked,
    /** Returns whether its capture was asked to end. */
    hasStopped: () => hasStopped,
    /** A person's sound, from now on. @returns the time at which it ends */
    hear(peerId: string, samples: Int16Array, atMs = Date.now()): number {
      onSound(peerId, "", samples, atMs);
      return atMs + (samples.length / RATE) * 1000;
    },
    /**
     * Begins to speak, after a break in the sound. @returns a function that ends the speech with a pause, and
     * with these words
     */
    begin(peerId: string, atMs = Date.now()): (text: string) => void {
      this.hear(peerId, nothing, 0);
      const pauseMs = this.hear(peerId, loud(1), atMs);
      // However long that takes, the sound has not stopped.
      const going = setInterval(() => this.hear(peerId, nothing, pauseMs), 100);
      t.after(() => clearInterval(going));
      return (text) => {
        clearInterval(going);
        words.push(text);
        this.hear(peerId, quiet(1), pauseMs);
      };
    },
    /** Says something. */
    say(peerId: string, text: string): void {
      this.begin(peerId)(text);
    },
    /** The next recognition result, for speech that ends in another way. */
    expect(text: string): void {
      words.push(text);
    },
    /** From now on recognition waits. @returns a function that lets it continue */
    hold(): () => void {
      const released = Promise.withResolvers<void>();
      held = released.promise;
      return released.resolve;
    },
    /** Waits until the transcription knows this about the meeting. */
    async knows(what: string, holds: (seen: Snapshot) => boolean): Promise<void> {
      await until(what, () => {
        database.announcements.announce([meetingId]);
        return snapshot !== undefined && holds(snapshot);
      });
    },
    /** Ends the transcription, once everything said is stored. */
    end,
  };
};
