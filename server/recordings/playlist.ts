/*
 * The playlists of a recording (RFC 8216). ffmpeg writes a growing media playlist: however a
 * recording ends, it names every whole segment and lacks only its end tag. On a full disk ffmpeg
 * replaces it with an empty or cut one, and goes on.
 */

/** A segment of a media playlist. */
export interface Segment {
  readonly file: string;
  readonly seconds: number;
}

export interface PlaylistEntry extends Segment {
  /** Its lines; the last one is the file's name. */
  readonly lines: readonly string[];
}

/** A media playlist. */
export interface Playlist {
  /** Its lines before the first segment. */
  readonly head: readonly string[];
  readonly entries: readonly PlaylistEntry[];
}

const END = "#EXT-X-ENDLIST";

/** Returns whether a playlist's text is complete. */
export const isEnded = (text: string): boolean => text.trimEnd().endsWith(END);

/** Reads a media playlist. A last entry without a file name is omitted. */
export const readPlaylist = (text: string): Playlist => {
  const head: string[] = [];
  const entries: PlaylistEntry[] = [];
  let lines: string[] = [];
  for (const line of text.split(/\r?\n/).filter((one) => one !== "")) {
    if (line === END) continue;
    const isFile = !line.startsWith("#");
    // A segment's tags begin with one of these; they belong to the segment, not to the head.
    const isTag = /^#EXT(INF|-X-(DISCONTINUITY|PROGRAM-DATE-TIME|BYTERANGE))\b(?!-)/.test(line);
    if (!isFile && !isTag && lines.length === 0 && entries.length === 0) head.push(line);
    else lines.push(line);
    if (!isFile) continue;
    const length = lines.find((one) => one.startsWith("#EXTINF:")) ?? "";
    entries.push({ file: line, lines, seconds: Number.parseFloat(length.slice(8)) || 0 });
    lines = [];
  }
  return { head, entries };
};

/** The initialization file that all segments need; undefined if the playlist names none. */
export const initOf = ({ head }: Playlist): string | undefined =>
  head.map((line) => /^#EXT-X-MAP:.*URI="([^"]+)"/.exec(line)?.[1]).find((uri) => uri);

/** The lines before the first segment, as ffmpeg writes them into a growing playlist. */
export const headWith = (init: string): readonly string[] => [
  "#EXTM3U",
  "#EXT-X-VERSION:7",
  "#EXT-X-TARGETDURATION:1",
  "#EXT-X-MEDIA-SEQUENCE:0",
  "#EXT-X-PLAYLIST-TYPE:EVENT",
  `#EXT-X-MAP:URI="${init}"`,
];

/** A segment that its playlist does not name. */
export const playlistEntry = (file: string, seconds: number): PlaylistEntry => ({
  file,
  seconds,
  lines: [`#EXTINF:${seconds.toFixed(6)},`, file],
});

/** A segment whose length differs from its playlist's. */
export const lasting = (entry: PlaylistEntry, seconds: number): PlaylistEntry => ({
  ...entry,
  seconds,
  lines: entry.lines.map((line) =>
    line.startsWith("#EXTINF:") ? `#EXTINF:${seconds.toFixed(6)},` : line,
  ),
});

/** The text of the finished playlist. */
export const endedPlaylist = ({ head, entries }: Playlist): string => {
  // No segment may be longer than this, rounded to the second (RFC 8216, 4.3.3.1).
  const longest = Math.max(...entries.map(({ seconds }) => Math.round(seconds)));
  const change = (line: string): string => {
    const [name, value = ""] = line.split(":", 2);
    if (name === "#EXT-X-PLAYLIST-TYPE") return `${name}:VOD`;
    return name === "#EXT-X-TARGETDURATION" ? `${name}:${Math.max(longest, Number(value))}` : line;
  };
  const lines = entries.flatMap((entry) => entry.lines);
  return [...head.map(change), ...lines, END, ""].join("\n");
};

/** One size of a recording, for the master playlist. */
export interface Variant {
  /** The path of its playlist, relative to the master playlist. */
  readonly playlist: string;
  /** The bit rate of its densest segment. */
  readonly bitsPerSecond: number;
  readonly picture: { readonly width: number; readonly height: number } | undefined;
}

/** The text of the master playlist, which names every size, largest first. */
export const masterPlaylist = (variants: readonly Variant[]): string =>
  [
    "#EXTM3U",
    "#EXT-X-VERSION:7",
    "#EXT-X-INDEPENDENT-SEGMENTS",
    ...variants.flatMap(({ playlist, bitsPerSecond, picture }) => [
      `#EXT-X-STREAM-INF:BANDWIDTH=${Math.max(1, Math.round(bitsPerSecond))}${picture ? `,RESOLUTION=${picture.width}x${picture.height}` : ""}`,
      playlist,
    ]),
    "",
  ].join("\n");
