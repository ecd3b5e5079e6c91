import { gunzipSync, gzipSync } from "node:zlib";
import { JoinRequest, WrappedJoinRequest, WrappedJoinRequest_Compression } from "@livekit/protocol";

/** Of the unpacked request; a browser's is about 20 kB. */
const LARGEST = 256 * 1024;

/**
 * Reads the `join_request` of a browser's URL.
 *
 * @returns undefined for anything that is not one
 */
export const readJoinRequest = (text: string): JoinRequest | undefined => {
  try {
    const { compression, joinRequest } = WrappedJoinRequest.fromBinary(
      Buffer.from(text, "base64url"),
    );
    const packed = compression === WrappedJoinRequest_Compression.GZIP;
    const bytes = packed ? gunzipSync(joinRequest, { maxOutputLength: LARGEST }) : joinRequest;
    return JoinRequest.fromBinary(bytes);
  } catch {
    return undefined;
  }
};

/** Writes it as LiveKit reads it: URL-safe Base64 with the padding that Go's decoder insists on. */
export const writeJoinRequest = (request: JoinRequest): string =>
  Buffer.from(
    new WrappedJoinRequest({
      compression: WrappedJoinRequest_Compression.GZIP,
      joinRequest: gzipSync(request.toBinary()),
    }).toBinary(),
  )
    .toString("base64")
    .replaceAll("+", "-")
    .replaceAll("/", "_");
