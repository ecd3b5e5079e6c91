import { spawn } from "node:child_process";
import { once } from "node:events";
import { setPriority } from "node:os";

/** Behind everything else on this machine (nice). */
const PRIORITY = 10;
/** What is kept of ffmpeg's complaints. */
const SAID = 2_000;

/**
 * Makes one MP4 of an HLS playlist in a folder, without encoding anything again; it plays from its
 * beginning while it is still being loaded.
 *
 * @throws when ffmpeg is missing, or refuses; aborted by the signal
 */
export const remux = async (
  playlist: string,
  target: string,
  signal: AbortSignal,
): Promise<void> => {
  const args = [
    ...["-hide_banner", "-nostdin", "-loglevel", "error", "-y"],
    // The playlist may name files beside it, and nothing else.
    ...["-protocol_whitelist", "file", "-i", playlist],
    ...["-map", "0", "-c", "copy", "-movflags", "+faststart", "-f", "mp4", target],
  ];
  const child = spawn("ffmpeg", args, { stdio: ["ignore", "ignore", "pipe"], signal });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-SAID);
  });
  if (child.pid !== undefined) setPriority(child.pid, PRIORITY);
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}: ${said.trim()}`);
};
