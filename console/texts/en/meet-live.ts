/** Why a live stream is not received, by its code. */
const streamErrors: Readonly<Record<string, string>> = {
  unreachable: "the receiver does not answer",
  certificate: "the receiver's certificate is not accepted",
  refused: "the receiver refuses the key",
  lost: "the connection broke off",
  source: "there is nothing to send yet",
};

/** The texts about live streams and captions. */
export const meetLive = {
  live: {
    start: "Stream live",
    stop: "End the live stream",
    startTranscription: "Transcribe what is said",
    stopTranscription: "End the transcription",
    sent: (target: string) => `This meeting is being streamed to ${target}`,
    watched: "This meeting is being streamed to everybody who opens its link",
    states: {
      starting: "The live stream is starting",
      reconnecting: "The live stream is reconnecting",
    },
    errorOf: (error: string): string => streamErrors[error] ?? error,
    transcribedHelp: "What is said in this meeting is written down",
    captions: "Captions",
    showCaptions: "Show captions",
    hideCaptions: "Hide captions",
  },
  watching: {
    document: (room: string) => `Live: ${room}`,
    label: (room: string) => `Live stream of ${room}`,
    leave: "Stop watching",
    loading: "The stream is loading.",
    behind: "You are watching some ten seconds behind the meeting.",
  },
};
