import { z } from "zod";
import { says } from "../kit/reasons.ts";

/** The largest metadata of a person, in bytes of its JSON text in UTF-8. */
export const METADATA_BYTES = 1024;

/** The data that an application keeps with a person whom it invites: a JSON object of its own. */
export const metadataField = () =>
  z
    .record(z.string(), z.unknown(), { error: says("not_object") })
    .refine((value) => new TextEncoder().encode(JSON.stringify(value)).length <= METADATA_BYTES, {
      error: says("too_many_bytes", { max: METADATA_BYTES }),
      when: ({ issues }) => issues.length === 0,
    });

/** The same in an answer; omitted for people without. */
export const metadataOf = () => z.record(z.string(), z.unknown()).optional();

/** True in an answer for the seat of a person's second device; omitted for all others. */
export const secondDevice = () => z.boolean().optional();
