/*
 * The messages between the service and its own hidden browser, which receives a meeting in order to record,
 * stream or transcribe it. They never leave loopback. The meeting itself reaches the page over the meeting
 * socket.
 */

/** A size in pixels; both numbers are even. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** How many pictures a second a recording has at most. */
export const FRAMES = 25;

/** The page's orders: the answer to its one-use code. */
export interface CaptureOrder {
  readonly type: "start";
  /** The path of the meeting socket. */
  readonly socket: string;
  readonly ticket: string;
  /** Null: sound only. */
  readonly picture: PictureSize | null;
  /** True to send each person's sound separately, instead of one recording. */
  readonly voices: boolean;
}

/** The messages of the service. */
export type ToCapture = CaptureOrder | { readonly type: "stop" };

/** The messages of the page that are text. */
export type FromCapture =
  | { readonly type: "hello"; readonly code: string }
  /** The page has joined the meeting and receives it from now on. */
  | { readonly type: "begun" }
  /** With `voices`, every few seconds: silence alone would not show that the page stands still. */
  | { readonly type: "listening" }
  /** The page no longer receives the meeting and sends the rest. */
  | { readonly type: "ending" }
  /** The page has sent everything, because of `stop` or because the seat has ended. */
  | { readonly type: "done"; readonly why: "stopped" | "over" | "lost" }
  | { readonly type: "failed"; readonly message: string };

/**
 * Precedes one person's samples in a binary message: `[length of the header, 2 bytes, big-endian] [header,
 * JSON] [samples, 16 bits, little-endian, 16 kHz, one channel]`. Without `voices` a binary message is the
 * next piece of the recording (Matroska).
 */
export interface VoiceHeader {
  readonly peerId: string;
  readonly peerName: string;
  /** When the first sample was heard, in milliseconds since 1970. */
  readonly at: number;
}

/** Samples per second. */
export const VOICE_RATE = 16_000;
