import { gunzipSync, gzipSync } from "node:zlib";
import { JoinRequest, WrappedJoinRequest, WrappedJoinRequest_Compression } from "@livekit/protocol";
import { cleanDescription } from "./asked.ts";
import { withinBudget } from "./within-budget.ts";

/** The limit of the unpacked request in bytes; a browser's is about 20 kB. */
const LARGEST = 64 * 1024;
/** A browser's has about 50, and a few for each of its tracks. */
const MOST_FIELDS = 2_000;

/**
 * Reads the `join_request` of a browser's URL.
 *
 * @returns undefined if the text is no request that a page makes
 */
export const readJoinRequest = (text: string): JoinRequest | undefined => {
  try {
    const options = withinBudget({ left: MOST_FIELDS });
    const wrapped = Buffer.from(text, "base64url");
    const { compression, joinRequest } = WrappedJoinRequest.fromBinary(wrapped, options);
    const packed = compression === WrappedJoinRequest_Compression.GZIP;
    const bytes = packed ? gunzipSync(joinRequest, { maxOutputLength: LARGEST }) : joinRequest;
    const request = JoinRequest.fromBinary(bytes, options);
    if (request.publisherOffer) cleanDescription(request.publisherOffer);
    return request;
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
