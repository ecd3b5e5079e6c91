import { gunzipSync } from "node:zlib";

const BLOCK = 512;
/** LiveKit's program is 53 MB; an archive that unpacks to more than this is refused. */
const LARGEST = 256 * 1024 * 1024;

const textAt = (header: Buffer, from: number, length: number): string => {
  const field = header.subarray(from, from + length).toString("latin1");
  return field.slice(0, field.indexOf("\0") === -1 ? length : field.indexOf("\0"));
};

/**
 * One file of a .tar.gz (POSIX ustar: header blocks of 512 bytes, sizes in octal digits).
 *
 * @returns undefined if there is no file of that name
 * @throws Error if it is no archive, or is truncated
 */
export const unpackFile = (archive: Uint8Array, name: string): Buffer | undefined => {
  const tar = gunzipSync(archive, { maxOutputLength: LARGEST });
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const header = tar.subarray(at, at + BLOCK);
    const found = textAt(header, 0, 100);
    if (found === "") return undefined;
    const size = Number.parseInt(textAt(header, 124, 12), 8);
    if (!Number.isSafeInteger(size)) throw new Error("This is not a tar archive.");
    const begin = at + BLOCK;
    if (begin + size > tar.length) throw new Error("The archive is cut.");
    if (found.replace(/^\.\//, "") === name) return tar.subarray(begin, begin + size);
    at = begin + Math.ceil(size / BLOCK) * BLOCK;
  }
  return undefined;
};
