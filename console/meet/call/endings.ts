import type { EndReason } from "../../../contract/meetings/socket.ts";

/** Why a meeting is over for somebody: as the service says it, or as only the page knows. */
export type Ending = EndReason | "stopped_waiting" | "stream_over" | "invitation_ended" | "blocked";
