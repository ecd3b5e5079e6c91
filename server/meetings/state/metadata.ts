import type { Metadata } from "../../../contract/meetings/socket.ts";
import type { SeatRow } from "../../db/meeting-tables.ts";

/** What the application that invited somebody keeps with them, as a part of an answer; empty where it is nothing. */
export const metadataIn = ({
  metadata,
}: Pick<SeatRow, "metadata">): { readonly metadata?: Metadata } =>
  metadata === null ? {} : { metadata: JSON.parse(metadata) };
