import type { ByteRange } from "../recordings/store.ts";

/**
 * The requested bytes (RFC 9110, 14.2). A header with several ranges, or a malformed one, is
 * ignored: the whole file is sent.
 *
 * @param bytes the file's size
 * @returns undefined for the whole file; "outside" if the range is beyond its end
 */
export const byteRangeOf = (
  header: string | undefined,
  bytes: number,
): ByteRange | "outside" | undefined => {
  const [, from = "", to = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "") ?? [];
  if (from === "" && to === "") return undefined;
  if (from === "") {
    const last = Number(to);
    return last === 0 || bytes === 0
      ? "outside"
      : { start: Math.max(0, bytes - last), end: bytes - 1 };
  }
  const start = Number(from);
  const end = to === "" ? bytes - 1 : Math.min(Number(to), bytes - 1);
  if (to !== "" && Number(to) < start) return undefined;
  return start >= bytes ? "outside" : { start, end };
};
