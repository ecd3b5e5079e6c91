import type { Metadata } from "../../../contract/meetings/socket.ts";
import type { SeatRow } from "../../db/meeting-tables.ts";

/** The metadata of an invited person, as a part of an answer; no field if there is none. */
export const metadataIn = ({
  metadata,
}: Pick<SeatRow, "metadata">): { readonly metadata?: Metadata } =>
  metadata === null ? {} : { metadata: JSON.parse(metadata) };
