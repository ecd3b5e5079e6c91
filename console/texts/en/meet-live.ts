import { type Waits, waits } from "./waits.ts";

/** Why a receiver rejects a stream before it is live; such a stream is not retried. */
const refusals: Readonly<Record<string, string>> = {
  certificate: "the receiver's certificate is not accepted",
  refused: "the receiver refuses the key",
};

/** Why nothing is received or transcribed, by code. */
const errors: Readonly<Record<string, string>> = {
  ...refusals,
  unreachable: "the receiver does not answer",
  lost: "the connection broke off",
  source: "the recorder is being started again",
  speech: "the speech service does not answer as it should",
};

const endOf = (error: string): string =>
  refusals[error] ?? "the recorder failed. An operator finds the reason in the log";

export const meetLive = {
  live: {
    start: "Stream live",
    stop: "End the live stream",
    startTranscription: "Transcribe what is said",
    stopTranscription: "End the transcription",
    sent: (target: string) => `This meeting is being streamed to ${target}`,
    watched: "This meeting is being streamed to everybody who opens its link",
    states: {
      queued: "The live stream waits",
      starting: "The live stream is starting",
      reconnecting: "The live stream is reconnecting",
    },
    troubles: {
      stream: (error: string): string =>
        `The live stream does not arrive: ${errors[error] ?? error}.`,
      transcription: (error: string): string =>
        `What is said is not written down: ${errors[error] ?? error}.`,
    },
    failed: {
      stream: (error: string): string => `The live stream has ended: ${endOf(error)}.`,
      transcription: (error: string): string => `The transcription has ended: ${endOf(error)}.`,
    },
    seen: "OK",
    waits: {
      stream: (why: Waits): string => waits("The live stream begins", why),
      transcription: (why: Waits): string => waits("The transcription begins", why),
    },
    cancel: { stream: "Do not stream", transcription: "Do not transcribe" },
    transcribedHelp: "What is said in this meeting is written down",
    captions: "Captions",
    showCaptions: "Show captions",
    hideCaptions: "Hide captions",
  },
  /** The notices before entering. */
  captured: {
    recording: "This meeting is being recorded. You may be seen and heard in the recording.",
    streaming: "This meeting is being streamed live. You may be seen and heard by those who watch.",
    transcribing: "What is said in this meeting is written down, with the names of the speakers.",
  },
  watching: {
    document: (room: string) => `Live: ${room}`,
    label: (room: string) => `Live stream of ${room}`,
    leave: "Stop watching",
    loading: "The stream is loading.",
    behind: "You are watching some ten seconds behind the meeting.",
  },
};
