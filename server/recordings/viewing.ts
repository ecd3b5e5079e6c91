import { randomBytes } from "node:crypto";
import { webVttOf } from "../../contract/meetings/transcript-files.ts";
import type { RecordingMedia } from "../../contract/recordings/library.ts";
import { type Accepted, endOldest, findViewer, type Holder, issueMedia } from "../access/tokens.ts";
import type { Change, Queries } from "../change/organization.ts";
import type { Database } from "../db/open.ts";
import { callerPerson } from "../db/person-keys.ts";
import type { RecordingRow } from "../db/recording-tables.ts";
import { Refusal, refuse } from "../lib/refusal.ts";
import { sizesOf } from "../meetings/captures/recording-plan.ts";
import { presentSpoken, transcriptRows } from "../meetings/captures/runs.ts";
import { brandOf } from "../records/brand.ts";
import type { RecordedFile } from "./finish.ts";
import { mp4Of, sizeName } from "./folder.ts";
import { findRecording } from "./library.ts";
import { findLinked } from "./links.ts";

/*
 * The right to read a recording's files. A player sends no bearer token, and a token must not be part of
 * a URL, so a cookie opens them, which browsers send only for this recording. It contains a link's
 * code or a token made for this; every request for a file looks it up again.
 */

/** The URL path of a recording's files, which is also the path of its cookie. */
export const mediaPath = (recordingId: string): string => `/api/recording/media/${recordingId}`;

/** The files of a recording; none before it is ready. */
export const filesOf = ({ files }: Pick<RecordingRow, "files">): readonly RecordedFile[] =>
  files === null ? [] : JSON.parse(files);

/** The file to play: the playlist of all sizes, or the largest mp4. */
export const mainFile = ({
  format,
  type,
  resolutions,
}: Pick<RecordingRow, "format" | "type" | "resolutions">): string => {
  if (format === "hls") return "index.m3u8";
  return mp4Of(sizeName(sizesOf({ type, resolutions })[0]));
};

/** The mp4 files of the playing sizes; smaller ones may be missing yet. */
const sizesThatPlay = (row: RecordingRow): RecordingMedia["sizes"] => {
  const there = new Set(filesOf(row).map(({ name }) => name));
  return sizesOf(row)
    .map((resolution) => ({ resolution, file: mp4Of(sizeName(resolution)) }))
    .filter(({ file }) => there.has(file))
    .map(({ resolution, file }) => ({ resolution, url: `${mediaPath(row.id)}/${file}` }));
};

/**
 * How a cookie begins, before a link's code or a token. After a link's code, everybody who opens it
 * gets their own text: a class behind one address is many viewers.
 */
const LINK = "link.";
const TOKEN = "token.";
const linkCookie = (code: string): string =>
  `${LINK}${code}.${randomBytes(9).toString("base64url")}`;

/** An opened recording: the part of the answer, and the cookie that goes with it. */
export interface Opened {
  readonly media: RecordingMedia;
  readonly cookie: string;
}

const opened = (row: RecordingRow, cookie: string, expiresAt: string): Opened => ({
  media: {
    url: `${mediaPath(row.id)}/${mainFile(row)}`,
    format: row.format,
    sizes: sizesThatPlay(row),
    expiresAt,
  },
  cookie,
});

/** An opened recording with its row. */
export type OpenedRow = Opened & { readonly row: RecordingRow };

/**
 * Opens a recording to the caller, for an hour.
 *
 * @throws Refusal `recording_not_found`, `recording_not_ready`
 */
export const openRecording = async (
  { tx, organization, caller }: Change,
  recordingId: string,
): Promise<OpenedRow> => {
  const row = await findRecording(tx, { id: organization.id, caller }, recordingId);
  if (row.state !== "ready") refuse("recording_not_ready");
  const { userId, accessKey } = caller;
  const organizationId = organization.id;
  const holder: Holder =
    userId === null ? { organizationId, accessKey: accessKey ?? "" } : { organizationId, userId };
  await endOldest(tx, holder, ["media"]);
  const { token, expiresAt } = await issueMedia(tx, holder, row.id);
  return { ...opened(row, TOKEN + token, expiresAt), row };
};

/** The transcript of the recorded time as WebVTT; null if there is none. */
const captionsOf = async (
  db: Queries,
  { meeting_id, started_at, seconds }: RecordingRow,
): Promise<string | null> => {
  if (started_at === null || seconds === null) return null;
  const end = new Date(Date.parse(started_at) + seconds * 1000).toISOString();
  const rows = await transcriptRows(db, meeting_id)
    .where("ended_at", ">", started_at)
    .where("started_at", "<", end)
    .execute();
  return rows.length === 0 ? null : webVttOf(rows.map(presentSpoken), started_at);
};

/**
 * Opens what a link plays.
 *
 * @throws Refusal `recording_link_not_found`, `link_ended`
 */
export const openRecordingLink = async ({ read }: Pick<Database, "read">, code: string) => {
  const { recording, expiresAt, allows } = await findLinked(read, code);
  const { name, started_at: startedAt, seconds, type } = recording;
  const { media, cookie } = opened(recording, linkCookie(code), expiresAt);
  const captions = allows === "play" ? null : await captionsOf(read, recording);
  const resolutions = [...sizesOf(recording)];
  return {
    recordingId: recording.id,
    brand: await brandOf(read, recording.organization_id),
    recording: { name, startedAt, seconds, type, resolutions, allows, captions, media },
    cookie,
  };
};

/**
 * Opens what a link plays, to save it.
 *
 * @throws Refusal `recording_link_not_found`, `link_ended`, `download_not_allowed`
 */
export const openLinkedFile = async (
  { read }: Pick<Database, "read">,
  code: string,
): Promise<OpenedRow> => {
  const { recording, expiresAt, allows } = await findLinked(read, code);
  if (allows !== "download") refuse("download_not_allowed");
  return { ...opened(recording, linkCookie(code), expiresAt), row: recording };
};

/** A recording that a cookie opens. */
export interface Watched {
  readonly row: RecordingRow;
  /** The viewer, for the rate limit. */
  readonly viewer: string;
  /** True if the files may be saved too. */
  readonly maySave: boolean;
}

/** The recording that a cookie opens; undefined for none. */
const openedBy = async (
  { read, find }: Pick<Database, "read" | "find">,
  recordingId: string,
  cookie: string,
  accepted: Accepted | undefined,
): Promise<Watched | undefined> => {
  // Other errors, such as an unreachable database, do not end the access.
  const orNothing = (error: unknown): undefined => {
    if (!(error instanceof Refusal)) throw error;
  };
  if (cookie.startsWith(LINK)) {
    const [code = ""] = cookie.slice(LINK.length).split(".");
    const linked = await findLinked(read, code, accepted).catch(orNothing);
    if (linked?.recording.id !== recordingId) return undefined;
    const { recording: row, allows } = linked;
    return { row, viewer: cookie, maySave: allows === "download" };
  }
  if (!cookie.startsWith(TOKEN)) return undefined;
  const known = await findViewer({ find }, cookie.slice(TOKEN.length), recordingId, accepted);
  if (known === undefined) return undefined;
  const { organizationId: id, caller } = known;
  const row = await findRecording(read, { id, caller }, recordingId).catch(orNothing);
  return row && { row, viewer: callerPerson(caller), maySave: true };
};

/**
 * The recording whose files one of these cookies opens.
 *
 * @param accepted `even expired` while a file is sent
 * @throws Refusal `media_ended` for cookies that open nothing, or no longer, because the recording,
 * the link or the caller's right is gone
 */
export const findOpened = async (
  database: Pick<Database, "read" | "find">,
  recordingId: string,
  cookies: readonly string[],
  accepted?: Accepted,
): Promise<Watched> => {
  for (const cookie of cookies) {
    const found = await openedBy(database, recordingId, cookie, accepted);
    if (found) return found;
  }
  return refuse("media_ended");
};
