import { extname } from "node:path";
import { buffer } from "node:stream/consumers";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { Accepted } from "../access/tokens.ts";
import { newBudget, within } from "../db/deadline.ts";
import { Refusal, refuse } from "../lib/refusal.ts";
import { sizesOf } from "../meetings/captures/recording-plan.ts";
import type { RecordedFile } from "../recordings/finish.ts";
import { isDownload, recordingPath } from "../recordings/folder.ts";
import { FileMissing, StoreAway } from "../recordings/store.ts";
import { storeOf } from "../recordings/stores.ts";
import { filesOf, findOpened, mediaPath } from "../recordings/viewing.ts";
import { whileAllowed } from "./answer.ts";
import { byteRangeOf } from "./byte-range.ts";
import { cookiesOf } from "./cookie.ts";
import { countViewer } from "./counting.ts";
import type { Service } from "./route.ts";
import type { Doors } from "./serve.ts";

const PLAYLIST = ".m3u8";

/** The media types of recordings' files; no other file is served. */
const TYPES: Readonly<Record<string, string>> = {
  [PLAYLIST]: "application/vnd.apple.mpegurl",
  ".m4s": "video/iso.segment",
  ".mp4": "video/mp4",
  ".m4a": "audio/mp4",
};

/**
 * Browsers ask each time: the cookie may have ended, or another person may sit there. An unchanged
 * file is not sent again.
 */
const ASKED_AGAIN = "private, no-cache";

type RecordingRow = Awaited<ReturnType<typeof findOpened>>["row"];

interface Asked {
  readonly Params: { readonly recordingId: string; readonly "*": string };
  readonly Querystring: { readonly download?: string };
}

/** The name of a saved recording, with its day in UTC (RFC 6266, RFC 8187). */
const attachment = ({ name, ...row }: RecordingRow, file: string): string => {
  const ending = extname(file);
  // The largest size has the plain name.
  const size = sizesOf(row).find((one, at) => at > 0 && file.endsWith(`${one}${ending}`));
  const plain = name.replace(/[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|]/gu, "_").trim() || "recording";
  const parts = [plain, row.started_at?.slice(0, 10), size].filter(Boolean);
  const safe = `${parts.join(" ")}${ending}`;
  const encoded = encodeURIComponent(safe.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="recording${ending}"; filename*=UTF-8''${encoded}`;
};

/**
 * Serves recordings' files with byte ranges to callers who opened them: each request's cookie is
 * looked up (recordings/viewing.ts). Not operations: the answers are not JSON, without Bearer
 * tokens.
 */
export const serveRecordings = (
  app: FastifyInstance,
  { config, database, library }: Pick<Service, "config" | "database" | "library">,
  { guard, counting }: Pick<Doors, "guard" | "counting">,
  log: Logger,
): void => {
  const read = async (
    row: RecordingRow,
    { name, bytes }: RecordedFile,
    range?: Exclude<ReturnType<typeof byteRangeOf>, "outside">,
  ) => {
    try {
      const store = await storeOf(library.stores, row.store);
      return await store.read(`${recordingPath(row)}/${name}`, bytes, range);
    } catch (error) {
      if (error instanceof FileMissing) return refuse("recording_files_missing");
      if (!(error instanceof StoreAway)) throw error;
      log.warn({ error: String(error) }, "a recording cannot be read");
      return refuse("recordings_unavailable");
    }
  };

  const answer = async (request: FastifyRequest<Asked>, reply: FastifyReply) => {
    const { recordingId, "*": name } = request.params;
    const cookies = cookiesOf(request, reply, config).recording(mediaPath(recordingId)).values();
    const find = (accepted?: Accepted) =>
      within(newBudget(database), () => findOpened(database, recordingId, cookies, accepted));
    const { row, maySave } = await guard.work(() => countViewer(counting, request, () => find()));
    /** Throws once what opened the file is gone. A database that is away cuts no file. */
    const look = async (): Promise<void> => {
      await find("even expired").catch((error: unknown) => {
        if (error instanceof Refusal && error.code === "media_ended") throw error;
      });
    };
    const file = filesOf(row).find((one) => one.name === name);
    const type = TYPES[extname(name)];
    if (file === undefined || type === undefined) return refuse("not_found");
    const isSaved = request.query.download !== undefined;
    if (!maySave && (isSaved || isDownload(name))) return refuse("download_not_allowed");
    /** The file's headers; set once it is open, because a failure must not have them. */
    const describe = (): FastifyReply => {
      if (isSaved) reply.header("content-disposition", attachment(row, name));
      return reply.type(type).header("cache-control", ASKED_AGAIN);
    };
    if (extname(name) === PLAYLIST) {
      // It may be newer than the row: its length comes from the file itself.
      const text = await buffer(await read(row, file));
      describe().header("content-length", text.length);
      return reply.send(request.method === "HEAD" ? undefined : text);
    }
    const { range: asked, "if-range": ifRange, "if-none-match": known } = request.headers;
    const tag = `"${file.bytes.toString(16)}"`;
    if (known === tag) return describe().status(304).header("etag", tag).send();
    const range =
      ifRange === undefined || ifRange === tag ? byteRangeOf(asked, file.bytes) : undefined;
    if (range === "outside") {
      return reply
        .status(416)
        .header("content-range", `bytes */${file.bytes}`)
        .header("cache-control", "no-store")
        .send();
    }
    const content = request.method === "HEAD" ? undefined : await read(row, file, range);
    const bytes = range === undefined ? file.bytes : range.end - range.start + 1;
    describe().header("accept-ranges", "bytes").header("etag", tag).header("content-length", bytes);
    if (range !== undefined) {
      reply.status(206).header("content-range", `bytes ${range.start}-${range.end}/${file.bytes}`);
    }
    return reply.send(content && whileAllowed(content, look));
  };

  app.get<Asked>(`${mediaPath(":recordingId")}/*`, { config: { counts: "files" } }, answer);
};
