/*
 * The playlists of a recording (RFC 8216). ffmpeg writes a media playlist that grows; whatever ends a
 * recording, the playlist names every whole segment, and only lacks its end.
 */

/** A segment of a media playlist. */
export interface Segment {
  readonly file: string;
  readonly seconds: number;
}

export interface Entry extends Segment {
  /** Its lines, the file's name last. */
  readonly lines: readonly string[];
}

/** A media playlist. */
export interface Playlist {
  /** Its lines before the first segment. */
  readonly head: readonly string[];
  readonly entries: readonly Entry[];
}

/** Reads a media playlist. A last entry without its file's name is left out. */
export const readPlaylist = (text: string): Playlist => {
  const head: string[] = [];
  const entries: Entry[] = [];
  let lines: string[] = [];
  for (const line of text.split(/\r?\n/).filter((one) => one !== "")) {
    if (line === "#EXT-X-ENDLIST") continue;
    const isFile = !line.startsWith("#");
    // Tags of a segment begin with its length; what may stand before it belongs to the segment too.
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

/** The initialization that all segments need; undefined where the playlist names none. */
export const initOf = ({ head }: Playlist): string | undefined =>
  head.map((line) => /^#EXT-X-MAP:.*URI="([^"]+)"/.exec(line)?.[1]).find((uri) => uri);

/** A segment that plays for another time than its playlist says. */
export const lasting = (entry: Entry, seconds: number): Entry => ({
  ...entry,
  seconds,
  lines: entry.lines.map((line) =>
    line.startsWith("#EXTINF:") ? `#EXTINF:${seconds.toFixed(6)},` : line,
  ),
});

/** The text of a playlist that has ended. */
export const endedPlaylist = ({ head, entries }: Playlist): string => {
  // No segment may be longer, to the second (RFC 8216, 4.3.3.1).
  const longest = Math.max(...entries.map(({ seconds }) => Math.round(seconds)));
  const change = (line: string): string => {
    const [name, value = ""] = line.split(":", 2);
    if (name === "#EXT-X-PLAYLIST-TYPE") return `${name}:VOD`;
    return name === "#EXT-X-TARGETDURATION" ? `${name}:${Math.max(longest, Number(value))}` : line;
  };
  const lines = entries.flatMap((entry) => entry.lines);
  return [...head.map(change), ...lines, "#EXT-X-ENDLIST", ""].join("\n");
};

/** One size of a recording, for the playlist that names all. */
export interface Variant {
  /** Relative to the playlist. */
  readonly playlist: string;
  /** Of its densest segment. */
  readonly bitsPerSecond: number;
  readonly picture: { readonly width: number; readonly height: number } | undefined;
}

/** The playlist that names every size, the largest first. */
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
