import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { WebSocket } from "ws";
import { settingsOf } from "../../contract/kit/organization-settings.ts";
import type {
  CaptureOrder,
  FromCapture,
  PictureSize,
  ToCapture,
  VoiceHeader,
} from "../../contract/meetings/capture-socket.ts";
import { MEETING_SOCKET } from "../../contract/meetings/meetings.ts";
import { openOrganization, service } from "../change/organization.ts";
import type { CaptureConfig } from "../config/capture.ts";
import type { Database } from "../db/open.ts";
import { makeFolder } from "../lib/folders.ts";
import { STILL_MS } from "../lib/watch.ts";
import type { CaptureRole } from "../meetings/seats/seat.ts";
import { claimCapture, releaseCapture } from "../meetings/state/capture-seats.ts";
import { type HiddenBrowser, launchBrowser } from "./browser.ts";
import { CaptureWatch, type Still } from "./capture-watch.ts";
import type { CaptureDoor, ExpectedCapture } from "./door.ts";
import { startWriter, type Writer } from "./ffmpeg.ts";
import { newProgramFolder, type ProgramFolder } from "./program-folder.ts";
import { findChromium, findFfmpeg } from "./programs.ts";

/**
 * Receives a person's sound.
 *
 * @param seatId the peerId
 * @param samples 16 bits each, 16 kHz, one channel
 * @param atMs when the first one was heard, in milliseconds since 1970
 */
export type OnSound = (seatId: string, peerName: string, samples: Int16Array, atMs: number) => void;

/** Reads a message of the page (contract/meetings/capture-socket.ts). */
const readVoice = (message: Buffer, onSound: OnSound): void => {
  const start = 2 + message.readUInt16BE(0);
  const header = JSON.parse(message.toString("utf8", 2, start)) as VoiceHeader;
  // A copy, because the samples must begin at an even address.
  const bytes = Uint8Array.from(message.subarray(start));
  const samples = new Int16Array(bytes.buffer, 0, Math.floor(bytes.length / 2));
  onSound(header.peerId, header.peerName, samples, header.at);
};

/** Why a capture failed. */
export type CaptureFailure =
  | "recorder_missing"
  | "browser_ended"
  | "page_failed"
  | "writer_failed"
  | "too_slow"
  | Still
  | "connection_lost"
  | "service_stopped"
  | "stopping";

export class CaptureFailed extends Error {
  override readonly name = "CaptureFailed";
  readonly code: CaptureFailure;

  constructor(code: CaptureFailure, message: string = code) {
    super(message);
    this.code = code;
  }
}

/** How a capture ended. What was written can be played in any case. */
export type CaptureEnd =
  | { readonly how: "stopped" }
  /** Nobody is in the meeting any more. */
  | { readonly how: "over" }
  | { readonly how: "failed"; readonly code: CaptureFailure };

export interface CaptureOptions {
  readonly organizationId: string;
  readonly meetingId: string;
  /** record: only the roles that are to be recorded; live: everybody; transcribe: everybody's sound. */
  readonly purpose: "record" | "live" | "transcribe";
  /** Null: sound only. */
  readonly picture: PictureSize | null;
  /** Gets index.m3u8, init.mp4, 0.m4s ...; made if missing. Undefined with `transcribe`. */
  readonly folder?: string;
  /** With `transcribe`: the sound of each person, a quarter of a second at a time. */
  readonly onSound?: OnSound;
}

export interface Capture {
  /** Resolves when the capture begins to end: the last pieces are still to be written. */
  readonly ending: Promise<void>;
  /**
   * Ends it once everything received is written.
   *
   * @param failure why, if it failed
   */
  stop(failure?: CaptureFailure): Promise<CaptureEnd>;
  /** Resolves when nothing of it runs any more. */
  readonly ended: Promise<CaptureEnd>;
}

export interface CaptureParts {
  readonly database: Database;
  readonly config: CaptureConfig;
  readonly door: CaptureDoor;
  readonly hosts: readonly string[];
  readonly log: Pick<Logger, "warn">;
}

const roles: Readonly<Record<CaptureOptions["purpose"], CaptureRole>> = {
  record: "recorder",
  live: "streamer",
  transcribe: "transcriber",
};

/** The most bytes that ffmpeg may leave unread: a slower disk is full or broken. */
const UNREAD_BYTES = 64 * 1024 * 1024;

/**
 * Starts a capture: a browser, and ffmpeg unless it only listens.
 *
 * @throws CaptureFailed, Refusal
 */
export const startCapture = async (
  { database, config, door, hosts, log }: CaptureParts,
  { organizationId, meetingId, purpose, picture, folder, onSound }: CaptureOptions,
): Promise<Capture> => {
  const program = findChromium(config);
  const ffmpeg = findFfmpeg(config);
  if (program === undefined || (folder !== undefined && ffmpeg === undefined)) {
    throw new CaptureFailed("recorder_missing");
  }
  const organization = openOrganization(database, organizationId, service);
  const ticket = randomBytes(32).toString("base64url");
  const role = roles[purpose];
  const video = picture !== null;
  const { seat, language } = await organization.change(async (change) => ({
    ...(await claimCapture(change, meetingId, { role, video, ticket })),
    language: settingsOf(change.organization).language,
  }));

  let profile: ProgramFolder | undefined;
  let browser: HiddenBrowser | undefined;
  let writer: Writer | undefined;
  let expected: ExpectedCapture | undefined;
  let socket: WebSocket | undefined;
  const begun = Promise.withResolvers<void>();
  const over = Promise.withResolvers<CaptureEnd>();
  const done = Promise.withResolvers<void>();
  const ending = Promise.withResolvers<void>();
  void over.promise.then(() => ending.resolve());
  const fail = (code: CaptureFailure, err?: unknown): void => {
    if (err !== undefined) log.warn({ err, code }, "a capture of a meeting has failed");
    over.resolve({ how: "failed", code });
  };
  const send = (message: ToCapture): void => socket?.send(JSON.stringify(message));
  const watch = new CaptureWatch((still) => fail(still, "nothing goes on"));
  let hasBegun = false;
  let isEnding = false;
  /** The page sent something of the meeting. */
  const goOn = (): void => {
    if (isEnding) return;
    if (hasBegun) watch.goOn();
    else watch.begin(writer);
    hasBegun = true;
    begun.resolve();
  };

  const take = (bytes: Buffer): void => {
    goOn();
    if (onSound) readVoice(bytes, onSound);
    writer?.write(bytes);
    if ((writer?.waiting() ?? 0) > UNREAD_BYTES) fail("too_slow");
  };

  const obey = (message: FromCapture): void => {
    switch (message.type) {
      case "begun":
      case "listening":
        // Recordings always send data; a transcription sends none while nobody speaks.
        if (onSound) goOn();
        break;
      case "failed":
        fail("page_failed", message.message);
        break;
      case "ending":
        ending.resolve();
        break;
      case "done":
        done.resolve();
        if (message.why === "over") over.resolve({ how: "over" });
        if (message.why === "lost") fail("connection_lost");
        break;
    }
  };

  const serve = (opened: WebSocket): void => {
    socket = opened;
    opened.on("message", (data, isBinary) => {
      try {
        if (isBinary) take(data as Buffer);
        else obey(JSON.parse(String(data)) as FromCapture);
      } catch (err) {
        // The page handles what guests send: taken over, it may say anything.
        fail("page_failed", err);
      }
    });
    opened.on("close", () => {
      done.resolve();
      fail("browser_ended");
    });
    const order: CaptureOrder = {
      type: "start",
      socket: MEETING_SOCKET,
      ticket,
      picture,
      voices: onSound !== undefined,
    };
    send(order);
  };

  /** Ends everything; a program that does not end by itself is killed. */
  const end = async (asked: CaptureEnd): Promise<CaptureEnd> => {
    isEnding = true;
    watch.stop();
    expected?.forget();
    const still = asked.how === "failed" ? asked.code : undefined;
    // Nothing more comes from the page, or nobody takes it.
    if (socket === undefined || still === "silent" || still === "writer_silent") done.resolve();
    if (asked.how !== "over") send({ type: "stop" });
    const isDone = await Promise.race([
      done.promise.then(() => true),
      sleep(STILL_MS.end, false, { ref: false }),
    ]);
    const how: CaptureEnd =
      isDone || still !== undefined ? asked : { how: "failed", code: "silent" };
    // A program that starts later would be left behind.
    await started.catch(() => {});
    await browser?.close();
    writer?.finish();
    if (still === "writer_silent") writer?.kill();
    const late = setTimeout(() => writer?.kill(), STILL_MS.end).unref();
    const said = await writer?.ended;
    clearTimeout(late);
    await profile?.remove().catch((err: unknown) => log.warn({ err }, "a folder is left"));
    await organization
      .change((change) => releaseCapture(change, seat.id))
      .catch((err: unknown) => {
        log.warn({ err }, "the seat of a recorder ends later");
      });
    if (said === undefined || how.how === "failed") return how;
    log.warn({ said }, "ffmpeg has failed");
    return { how: "failed", code: "writer_failed" };
  };

  const start = async (): Promise<HiddenBrowser> => {
    profile = await newProgramFolder();
    if (folder !== undefined) {
      await makeFolder(folder);
      writer = await startWriter(ffmpeg ?? "", folder, video);
      void writer.ended.then((said) => fail("writer_failed", said));
    }
    const launched = await launchBrowser({ program, folder: profile.path, hosts });
    browser = launched;
    void launched.ended.then(() => {
      done.resolve();
      fail("browser_ended");
    });
    await profile.take(launched.pid);
    return launched;
  };
  const open = async (launched: HiddenBrowser): Promise<void> => {
    if (isEnding) return;
    expected = door.expect(language);
    void expected.socket.then(serve);
    await launched.open(expected.url);
  };

  const started = start();
  const ended = over.promise.then(end);
  started.then(open).catch((err: unknown) => {
    done.resolve();
    fail("browser_ended", err);
  });
  const failed = await Promise.race([begun.promise, ended]);
  if (failed?.how === "failed") throw new CaptureFailed(failed.code);
  if (failed !== undefined) throw new CaptureFailed("connection_lost");
  return {
    ending: ending.promise,
    stop(failure) {
      over.resolve(failure ? { how: "failed", code: failure } : { how: "stopped" });
      return ended;
    },
    ended,
  };
};
