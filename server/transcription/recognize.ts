import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { constants } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { newProgramFolder } from "../capture/program-folder.ts";
import { LANGUAGE, type SpeechConfig } from "../config/speech.ts";
import { retryAfterMs } from "../lib/backoff.ts";
import { boundedText } from "../lib/bounded-text.ts";
import { noAnswer } from "../lib/no-answer.ts";
import { killGroup, lowerPriority } from "../lib/processes.ts";
import { STILL_MS } from "../lib/watch.ts";
import { LONGEST_TEXT, type Recognized, reportedLanguage, wordsOf } from "./words.ts";

/**
 * Turns a WAV file into text. Its errors contain neither words nor a key. Without a language, the
 * engine detects it.
 */
export type Recognizer = (
  wav: Buffer,
  signal: AbortSignal,
  language?: string | undefined,
) => Promise<Recognized>;

/** The pause before the second and last try, in milliseconds. */
const AGAIN_MS = 2_000;
/**
 * A longer pause that the service asks for is kept, up to this: captions must not lag ever further.
 */
const LONGEST_AGAIN_MS = 30_000;
/** Beyond this wait, people read at once that it fails. */
const LONGEST_QUIET_MS = 5_000;
/** The most bytes of an answer that are read: some services send the time of each word. */
const LARGEST = 4 * 1024 * 1024;
/** The argument that is replaced with the path of the WAV file. */
const FILE = "{file}";
/** Replaces `LANGUAGE` where no language is chosen: whisper.cpp then detects it. */
const DETECTED = "auto";

/** The speech engine failed, or gave no valid answer. */
export class SpeechError extends Error {
  override readonly name = "SpeechError";
}

/** The words of an answer. @throws SpeechError if it is no text */
const clean = (text: string): string => {
  const words = wordsOf(text);
  if (words === undefined) throw new SpeechError("The speech engine answered with no text.");
  return words;
};

type Service = Extract<SpeechConfig, { readonly kind: "service" }>;

/** The fields of a request to a service besides the speech. */
interface Asked {
  readonly language: string | undefined;
  /** True if the answer shall have the detected language too, which some models refuse. */
  readonly isVerbose: boolean;
}

const askOnce = async (
  { url, key, model }: Service,
  wav: Buffer,
  signal: AbortSignal,
  { language, isVerbose }: Asked,
): Promise<Response> => {
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(wav)], { type: "audio/wav" }), "speech.wav");
  form.append("model", model);
  form.append("response_format", isVerbose ? "verbose_json" : "json");
  if (language !== undefined) form.append("language", language);
  return fetch(url, {
    method: "POST",
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    body: form,
    redirect: "manual",
    signal: AbortSignal.any([signal, AbortSignal.timeout(STILL_MS.speech)]),
  });
};

const isPassing = (status: number): boolean => status === 429 || status >= 500;
const refusesFormat = (status: number): boolean => status === 400 || status === 422;

/** A service that used all of the time would use it again. @throws SpeechError */
const unlessLate = (error: unknown): SpeechError => {
  if (error instanceof DOMException && error.name === "TimeoutError") {
    throw new SpeechError("The speech service does not answer in time.");
  }
  return new SpeechError(`The speech service cannot be used: ${noAnswer(error)}`);
};

/** The text in a service's answer; undefined if it has none. */
const textOf = (body: unknown): string | undefined =>
  typeof body === "object" && body !== null && "text" in body && typeof body.text === "string"
    ? body.text
    : undefined;

/** The value of a JSON text; undefined if it is none. */
const parse = (text = ""): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const byService = (service: Service): Recognizer => {
  /** Before this time the service wants no segment at all. */
  let notBefore = 0;
  /** True if the service may answer with the language that it detects. */
  let isVerbose = true;
  const ask = async (
    wav: Buffer,
    signal: AbortSignal,
    language: string | undefined,
  ): Promise<Response | SpeechError> => {
    const wait = notBefore - performance.now();
    if (wait > 0) await sleep(wait, undefined, { signal });
    const asked = { language, isVerbose: isVerbose && language === undefined };
    const answer = await askOnce(service, wav, signal, asked).catch(unlessLate);
    if (asked.isVerbose && !(answer instanceof SpeechError) && refusesFormat(answer.status)) {
      isVerbose = false;
      await answer.body?.cancel();
      return ask(wav, signal, language);
    }
    if (answer instanceof SpeechError || !isPassing(answer.status)) return answer;
    await answer.body?.cancel();
    const told = retryAfterMs(answer.headers.get("retry-after")) ?? 0;
    notBefore = Math.max(notBefore, performance.now() + Math.min(told, LONGEST_AGAIN_MS));
    return answer;
  };
  return async (wav, signal, language) => {
    let answer = await ask(wav, signal, language);
    const isSoon = notBefore - performance.now() < LONGEST_QUIET_MS;
    if (answer instanceof SpeechError || (isPassing(answer.status) && isSoon)) {
      await sleep(AGAIN_MS, undefined, { signal });
      answer = await ask(wav, signal, language);
    }
    if (answer instanceof SpeechError) throw answer;
    if (!answer.ok) {
      await answer.body?.cancel();
      throw new SpeechError(`The speech service answered ${answer.status}.`);
    }
    const body = parse(await boundedText(answer, LARGEST).catch(() => undefined));
    const text = textOf(body);
    if (text !== undefined) return { text: clean(text), language: reportedLanguage(body) };
    throw new SpeechError("The speech service answered without a text.");
  };
};

/**
 * Runs a program with nothing of the service's environment but the paths of programs and models.
 *
 * @param input its standard input
 * @param onStart gets its process ID, which is also its group's
 */
const run = async (
  [program, ...args]: readonly [string, ...string[]],
  environment: Readonly<Record<string, string>>,
  input: Buffer | undefined,
  signal: AbortSignal,
  onStart: (pid: number) => Promise<void> = async () => {},
): Promise<string> => {
  const child = spawn(program, args, {
    // Its own group, so that its children end with it.
    detached: true,
    env: { ...environment },
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "ignore"],
  });
  const { pid } = child;
  const end = (): void => void (pid !== undefined && killGroup(pid));
  if (pid !== undefined) lowerPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const over = AbortSignal.any([signal, AbortSignal.timeout(STILL_MS.speech)]);
  over.addEventListener("abort", end);
  if (over.aborted) end();
  // A program that does not read its input closes the pipe.
  child.stdin?.on("error", () => {});
  child.stdin?.end(input);
  let said = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    if (said.length < LONGEST_TEXT) said += text;
  });
  const ended = new Promise<string>((resolve, reject) => {
    const late = new SpeechError("The speech program did not run, or not in time.");
    child.once("error", () => reject(late));
    child.once("close", (code, how) => {
      over.removeEventListener("abort", end);
      if (code === 0) resolve(said);
      else if (over.aborted) reject(late);
      else reject(new SpeechError(`The speech program ended with ${how ?? `exit code ${code}`}.`));
    });
  });
  const begun =
    pid !== undefined &&
    onStart(pid).catch((error: unknown) => {
      end();
      throw error;
    });
  const [text] = await Promise.all([ended, begun]);
  return text;
};

const byCommand =
  (
    command: readonly [string, ...string[]],
    environment: Readonly<Record<string, string>>,
  ): Recognizer =>
  async (wav, signal, language = DETECTED) => {
    const [program, ...given] = command;
    const args = given.map((word) => word.replaceAll(LANGUAGE, language));
    const recognized = (said: string): Recognized => ({
      text: clean(said),
      language: reportedLanguage(parse(said)),
    });
    if (!args.some((word) => word.includes(FILE))) {
      return recognized(await run([program, ...args], environment, wav, signal));
    }
    const folder = await newProgramFolder();
    try {
      const file = join(folder.path, "speech.wav");
      await writeFile(file, wav, { mode: 0o600 });
      const words = args.map((word) => word.replaceAll(FILE, file));
      return recognized(
        await run([program, ...words], environment, undefined, signal, folder.take),
      );
    } finally {
      await folder.remove();
    }
  };

/**
 * The configured speech engine.
 *
 * @param environment PATH and HOME, by which a program finds other programs and its models
 */
export const openRecognizer = (
  speech: SpeechConfig,
  environment: Readonly<Record<string, string>>,
): Recognizer =>
  speech.kind === "service" ? byService(speech) : byCommand(speech.command, environment);
