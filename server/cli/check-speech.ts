import { homedir } from "node:os";
import type { Config } from "../config/config.ts";
import { type Check, fault, note, ok } from "./check.ts";

const name = "speech engine";

/** Checks that the speech engine answers to a second of silence. */
export const checkSpeech = async ({ speech, capture }: Config): Promise<Check> => {
  if (speech === undefined) {
    return note(
      name,
      "None is set: meetings are not transcribed.",
      "Set SPEECH_URL or SPEECH_COMMAND to transcribe them.",
    );
  }
  const { openRecognizer, SpeechError } = await import("../transcription/recognize.ts");
  const { RATE, wavOf } = await import("../transcription/segments.ts");
  const recognize = openRecognizer(speech, { PATH: capture.path, HOME: homedir() });
  try {
    await recognize(wavOf({ samples: new Int16Array(RATE) }), new AbortController().signal);
    return ok(name, speech.kind === "service" ? new URL(speech.url).host : speech.command[0]);
  } catch (error) {
    if (!(error instanceof SpeechError)) throw error;
    const advice =
      speech.kind === "service"
        ? "Check SPEECH_URL, SPEECH_KEY and SPEECH_MODEL."
        : "Run the program of SPEECH_COMMAND by hand, as the user of the service.";
    return fault(name, error.message, advice);
  }
};
