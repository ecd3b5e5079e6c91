import { characters, printableCharacters } from "../../contract/kit/accepted.ts";
import { define, defineOptional, hide, maskUrl, type openReader } from "./setting.ts";

/** The speech engine: a service, or a program on this machine. */
export type SpeechConfig =
  | {
      readonly kind: "service";
      readonly url: string;
      readonly key: string | undefined;
      readonly model: string;
    }
  | { readonly kind: "command"; readonly command: readonly [string, ...string[]] };

/** The argument of SPEECH_COMMAND that is replaced with the language. */
export const LANGUAGE = "{language}";

/** Returns whether the engine takes the language that is spoken. */
export const takesLanguage = (speech: SpeechConfig | undefined): boolean =>
  speech?.kind === "service" || (speech?.command.some((word) => word.includes(LANGUAGE)) ?? false);

/** The path of this operation in OpenAI's API, and in every service that offers the same API. */
const OPERATION = "/audio/transcriptions";

/** The URL of the operation, from the whole URL, that of the API, or only the host. */
const parseSpeechUrl = (text: string): string | undefined => {
  const url = URL.parse(text);
  if (url === null || !/^https?:\/\/[^/]/i.test(text) || url.hash !== "") return undefined;
  if (url.username !== "" || url.password !== "") return undefined;
  const path = url.pathname.replace(/\/+$/, "");
  url.pathname = path.endsWith(OPERATION) ? path : `${path === "" ? "/v1" : path}${OPERATION}`;
  return url.href;
};

/** Words separated by spaces, or a JSON array of words that have spaces in them. */
const parseCommand = (text: string): [string, ...string[]] | undefined => {
  let words: unknown = text.split(/\s+/).filter((word) => word !== "");
  if (text.trimStart().startsWith("[")) {
    try {
      words = JSON.parse(text);
    } catch {
      return undefined;
    }
  }
  if (!Array.isArray(words) || !words.every((word) => typeof word === "string")) return undefined;
  const [program, ...rest] = words;
  return program === undefined || program === "" ? undefined : [program, ...rest];
};

export const speechSettings = {
  speechUrl: defineOptional({
    name: "SPEECH_URL",
    unset: "none: meetings are not transcribed, unless SPEECH_COMMAND is set",
    meaning:
      "A service with OpenAI's /v1/audio/transcriptions: a public one, or a server of whisper.cpp, speaches or vLLM. It gets what is said in transcribed meetings.",
    accepted: "an http or https URL without user, such as http://127.0.0.1:8000/v1",
    mask: maskUrl,
    parse: parseSpeechUrl,
  }),
  speechKey: defineOptional({
    name: "SPEECH_KEY",
    unset: "none",
    meaning: "The API key of the service at SPEECH_URL.",
    ...printableCharacters({ from: 1, to: 512 }),
    mask: hide,
  }),
  speechModel: define({
    name: "SPEECH_MODEL",
    default: "whisper-1",
    meaning: "The model that the service at SPEECH_URL is asked for.",
    ...characters({ from: 1, to: 200, of: "printable characters", each: /[^\p{C}]/u }),
  }),
  speechCommand: defineOptional({
    name: "SPEECH_COMMAND",
    unset: "none",
    meaning:
      "A program that turns speech into text, instead of SPEECH_URL. It gets a WAV file (16 kHz, one channel) as {file} among its arguments, or else on its standard input, and prints the text. {language} becomes the chosen language, such as de, or auto. No shell is used.",
    accepted: "a program with its arguments, separated by spaces, or as a JSON array",
    parse: parseCommand,
  }),
};

/** Reads the settings of speech; adds a problem where they contradict each other. */
export const readSpeech = ({
  value,
  optional,
  problems,
}: ReturnType<typeof openReader>): SpeechConfig | undefined => {
  const url = optional(speechSettings.speechUrl);
  const key = optional(speechSettings.speechKey);
  const model = value(speechSettings.speechModel);
  const command = optional(speechSettings.speechCommand);
  if (url !== undefined && command !== undefined) {
    problems.push("SPEECH_URL and SPEECH_COMMAND are both set; accepted: one of them.");
  }
  if (url !== undefined) return { kind: "service", url, key, model };
  return command && { kind: "command", command };
};
