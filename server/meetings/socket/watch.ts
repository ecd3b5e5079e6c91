import type { Peer } from "../../../contract/meetings/socket.ts";
import type { Snapshot } from "../state/snapshot.ts";
import type { Known } from "./member.ts";

/** Called with the result of every look at a meeting; undefined when the meeting is over. */
export type Follower = (snapshot: Snapshot | undefined) => void;

/** What this process knows of a meeting that it follows. */
export interface Watch {
  readonly meetingId: string;
  readonly followers: Set<Follower>;
  readonly members: Map<string, Known>;
  /** Everybody inside at the last look, by ID. */
  readonly peers: Map<string, Peer>;
  looking: Promise<void> | undefined;
  isStale: boolean;
}

/** A meeting that nobody here follows yet. */
export const newWatch = (meetingId: string): Watch => ({
  meetingId,
  followers: new Set(),
  members: new Map(),
  peers: new Map(),
  looking: undefined,
  isStale: false,
});

/** Whether nobody here follows a meeting any more. */
export const isIdle = ({ members, followers }: Watch): boolean =>
  members.size === 0 && followers.size === 0;
