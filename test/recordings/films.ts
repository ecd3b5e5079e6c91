import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Change } from "../../server/change/organization.ts";
import type { NewRecording, RecordingRow } from "../../server/db/recording-tables.ts";
import { fold } from "../../server/lib/fold.ts";
import { uuid7 } from "../../server/lib/id.ts";
import { recordingPath, recordingsFolder } from "../../server/recordings/folder.ts";
import { filesBelow } from "../world/files.ts";

/*
 * Simulates recordings of meetings: real files, made once by ffmpeg, and their rows.
 */

/** The duration of each of them. */
export const SECONDS = 6;

/** A moving test picture and a tone, as ffmpeg writes them. */
const film = (folder: string, target: string, ...more: string[]): void => {
  mkdirSync(folder, { recursive: true });
  const { status, error, stderr } = spawnSync(
    "ffmpeg",
    [
      ...["-hide_banner", "-nostdin", "-loglevel", "error", "-y"],
      ...["-f", "lavfi", "-i", "testsrc=size=640x360:rate=10"],
      ...["-f", "lavfi", "-i", "sine=frequency=440", "-t", String(SECONDS)],
      ...["-c:v", "libx264", "-preset", "ultrafast", "-g", "20", "-pix_fmt", "yuv420p"],
      ...["-c:a", "aac", ...more, target],
    ],
    { encoding: "utf8", cwd: folder },
  );
  if (status !== 0) throw error ?? new Error(stderr);
};

/** The playlist that names the playlists of all sizes. */
const ALL_SIZES = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-STREAM-INF:BANDWIDTH=400000,RESOLUTION=640x360,CODECS="avc1.42c01e,mp4a.40.2"
480p/index.m3u8
`;

/** The folders of a recording of each format. */
export type Films = Readonly<Record<RecordingRow["format"], string>>;

let made: Films | undefined;

/** Makes them once for all files of a process; they go with the folder of its run. */
export const makeFilms = (): Films => {
  if (made !== undefined) return made;
  const folder = mkdtempSync(join(tmpdir(), "parley-films-"));
  const films = { hls: join(folder, "hls"), mp4: join(folder, "mp4") };
  const segments = ["-f", "hls", "-hls_time", "2", "-hls_playlist_type", "vod"];
  const fragments = ["-hls_segment_type", "fmp4", "-hls_segment_filename", "%d.m4s"];
  film(join(films.hls, "480p"), "index.m3u8", ...segments, ...fragments);
  writeFileSync(join(films.hls, "index.m3u8"), ALL_SIZES);
  film(films.mp4, "480p.mp4", "-movflags", "+faststart");
  made = films;
  return films;
};

/** Where a recording is added: an organization, and the data folder of its service. */
export interface Shelf {
  readonly dataDir: string;
  change<T>(rule: (change: Change) => Promise<T>): Promise<T>;
}

/** Adds a recording of a room: its files in the data folder, its row, and that of its meeting. */
export const addRecording = (
  { dataDir, change }: Shelf,
  films: Films,
  room: string,
  facts: Partial<NewRecording> = {},
): Promise<RecordingRow> =>
  change(async ({ tx, organization }) => {
    const { id: roomId } = await tx
      .selectFrom("rooms")
      .select("id")
      .where("organization_id", "=", organization.id)
      .where("room", "=", room)
      .executeTakeFirstOrThrow();
    const at = new Date().toISOString();
    const { format = "hls", name = "A recording" } = facts;
    const source = films[format];
    const files = filesBelow(source).map((one) => ({
      name: one,
      bytes: statSync(join(source, one)).size,
    }));
    const row: NewRecording = {
      id: uuid7(),
      organization_id: organization.id,
      room_id: roomId,
      meeting_id: uuid7(),
      name,
      name_key: fold(name),
      type: "av",
      format,
      resolutions: '["480p"]',
      state: "ready",
      automatic: false,
      started_by: null,
      started_by_name: "Ann",
      requested_at: at,
      started_at: at,
      ended_at: at,
      seconds: SECONDS,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      files: JSON.stringify(files),
      error: null,
      stop_asked: false,
      process: null,
      lease_until: null,
      store: "folder",
      ...facts,
    };
    await tx
      .insertInto("meetings")
      .values({
        id: row.meeting_id,
        organization_id: organization.id,
        room_id: roomId,
        media: "direct",
        opened_at: at,
        started_at: at,
        ended_at: at,
        seconds: SECONDS,
        locked: false,
        presenter: null,
      })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .execute();
    cpSync(source, join(recordingsFolder(dataDir), recordingPath(row)), { recursive: true });
    return tx.insertInto("recordings").values(row).returningAll().executeTakeFirstOrThrow();
  });

/** A sentence, said this many seconds after a recording began. */
interface Caption {
  readonly number: number;
  readonly second: number;
  readonly peer: string;
  readonly text: string;
  readonly kept?: boolean;
}

/** Adds a caption of one second to the meeting of a recording. */
export const addCaption = (
  { change }: Pick<Shelf, "change">,
  { meeting_id, organization_id, room_id, started_at }: RecordingRow,
  { number, second, peer, text, kept = true }: Caption,
): Promise<unknown> =>
  change(({ tx }) => {
    const time = (at: number) => new Date(Date.parse(started_at ?? "") + at * 1000).toISOString();
    return tx
      .insertInto("captions")
      .values({
        meeting_id,
        number,
        organization_id,
        room_id,
        seat_id: peer,
        role: "moderator",
        peer_name: peer,
        started_at: time(second),
        ended_at: time(second + 1),
        text,
        text_key: fold(text),
        kept,
      })
      .execute();
  });

/** ffprobe's report about a file: its duration in seconds, and the kinds of its streams. */
export const probe = (file: string): { readonly seconds: number; readonly streams: string[] } => {
  const { stdout } = spawnSync(
    "ffprobe",
    ["-v", "error", "-of", "json", "-show_entries", "format=duration:stream=codec_type", file],
    { encoding: "utf8" },
  );
  const { format, streams } = JSON.parse(stdout);
  return {
    seconds: Number(format.duration),
    streams: streams.map(({ codec_type }: { readonly codec_type: string }) => codec_type).sort(),
  };
};
