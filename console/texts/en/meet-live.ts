import { type Waits, waits } from "./waits.ts";

/** Why a streaming service rejects a stream before it is live; such a stream is not retried. */
const refusals: Readonly<Record<string, string>> = {
  certificate: "the streaming service's certificate is not accepted",
  refused: "the streaming service refuses the key",
};

/** Why nothing is received or transcribed, by code. */
const errors: Readonly<Record<string, string>> = {
  ...refusals,
  unreachable: "the streaming service cannot be reached",
  lost: "the connection broke off, and Parley is reconnecting",
  source: "it is starting again",
  speech: "the speech service does not answer. Tell an administrator",
};

const FAILED = "something went wrong";

const endOf = (error: string): string =>
  refusals[error] ?? `${FAILED}. Begin it again; if it fails again, tell an administrator`;

export const meetLive = {
  live: {
    start: "Stream live",
    stop: "End the live stream",
    startTranscription: "Transcribe the meeting",
    stopTranscription: "End the transcription",
    sent: (target: string) => `This meeting is being streamed to ${target}`,
    watched: "This meeting is being streamed to everybody who opens its link",
    states: {
      queued: "The live stream is waiting",
      starting: "The live stream is starting",
      reconnecting: "The live stream is reconnecting",
    },
    troubles: {
      stream: (error: string): string =>
        `The live stream is not getting through: ${errors[error] ?? FAILED}.`,
      transcription: (error: string): string =>
        `Transcription is not working: ${errors[error] ?? FAILED}.`,
    },
    failed: {
      stream: (error: string): string => `The live stream has ended: ${endOf(error)}.`,
      transcription: (error: string): string => `The transcription has ended: ${endOf(error)}.`,
    },
    waits: {
      stream: (why: Waits): string => waits("The live stream begins", why),
      transcription: (why: Waits): string => waits("The transcription begins", why),
    },
    cancel: { stream: "Do not stream", transcription: "Do not transcribe" },
    transcribedHelp: "This meeting is being transcribed",
    captions: "Captions",
    showCaptions: "Show captions",
    hideCaptions: "Hide captions",
  },
  /** The notices before entering. */
  captured: {
    recording: "This meeting is being recorded. You may be seen and heard in the recording.",
    streaming: "This meeting is being streamed live. People who watch may see and hear you.",
    transcribing: "This meeting is being transcribed. The transcript names the speakers.",
  },
  watching: {
    document: (room: string) => `Live: ${room}`,
    label: (room: string) => `Live stream of ${room}`,
    leave: "Stop watching",
    loading: "The stream is loading.",
    toMeeting: "Go to the meeting's page",
    again: "The stream was interrupted. Trying to reconnect…",
    behind: "You are watching about ten seconds behind the meeting.",
  },
};
