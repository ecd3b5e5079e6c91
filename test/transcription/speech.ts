import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { RATE } from "../../server/transcription/segments.ts";
import type { Scope } from "../world/empty-database.ts";

/*
 * Synthetic speech, and a real engine that recognizes the few words that it can tell apart.
 */

const run = promisify(execFile);

/** A male voice that the engine recognizes best, speaking slowly. */
const VOICE = ["-v", "en-us+m3", "-s", "110"];

/** Spoken text as espeak-ng makes it: a WAV file. */
export const speak = async (text: string): Promise<Buffer> =>
  (await run("espeak-ng", [...VOICE, "--stdout", text], { encoding: "buffer" })).stdout;

/** Spoken text as samples, `RATE` per second. */
export const samplesOf = async (text: string): Promise<Int16Array> => {
  const wav = await speak(text);
  const from = wav.readUInt32LE(24);
  const given = new Int16Array(Uint8Array.from(wav.subarray(44)).buffer);
  return Int16Array.from({ length: Math.floor((given.length * RATE) / from) }, (_, n) => {
    const at = (n * from) / RATE;
    const [low, part] = [Math.floor(at), at % 1];
    return (given[low] ?? 0) * (1 - part) + (given[low + 1] ?? 0) * part;
  });
};

/** The words of the engine's grammar, of which it can tell apart hello, world and meeting. */
const GRAMMAR = `#JSGF V1.0;
grammar words;
public <words> = ( hello | world | meeting | tomorrow )+;
`;

/** The engine as a value of SPEECH_COMMAND. */
export const sphinxCommand = async (folder: string): Promise<readonly [string, ...string[]]> => {
  const grammar = join(folder, "words.gram");
  await writeFile(grammar, GRAMMAR);
  const log = ["-logfn", "/dev/null"];
  return ["pocketsphinx_continuous", "-infile", "{file}", "-jsgf", grammar, ...log];
};

/** A service with OpenAI's API and the engine behind it. */
export const startSpeechService = async (t: Scope, folder: string, key: string) => {
  const [program, ...args] = await sphinxCommand(folder);
  const asked: {
    readonly model: string;
    readonly key: string;
    readonly language: string | null;
    readonly format: string;
  }[] = [];
  /** The test's control: whether it refuses everything, or answers that have more than the text. */
  const mood = { refuses: false, isPlain: false };
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const authorization = request.headers.authorization ?? "";
      const isOurs =
        request.url === "/v1/audio/transcriptions" && authorization === `Bearer ${key}`;
      if (!isOurs || mood.refuses) {
        response.writeHead(401).end("{}");
        return;
      }
      const body = Buffer.concat(await Array.fromAsync(request));
      const type = request.headers["content-type"] ?? "";
      const form = await new Response(body, { headers: { "content-type": type } }).formData();
      const text = (name: string) => form.get(name) as string | null;
      const format = String(text("response_format"));
      const language = text("language");
      asked.push({ model: String(text("model")), key: authorization, language, format });
      if (mood.isPlain && format !== "json") {
        response.writeHead(400).end("{}");
        return;
      }
      const file = join(folder, `asked-${asked.length}.wav`);
      await writeFile(file, Buffer.from(await (form.get("file") as File).arrayBuffer()));
      const words = args.map((word) => word.replace("{file}", file));
      const { stdout } = await run(program, words);
      response.writeHead(200, { "content-type": "application/json" });
      // As Whisper does: its engine knows English only.
      const found = format === "json" ? {} : { task: "transcribe", language: "english" };
      response.end(JSON.stringify({ ...found, text: stdout }));
    };
    answer().catch(() => response.writeHead(500).end("{}"));
  });
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  t.after(() => new Promise((closed) => server.close(closed)));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { url: `http://127.0.0.1:${address.port}/v1`, asked, mood };
};
