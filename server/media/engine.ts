import type { WebSocket } from "ws";
import type { Grant } from "./grants.ts";

/** The health of the engine, in one sentence for people. */
export interface EngineHealth {
  readonly ok: boolean;
  readonly found: string;
}

/** The engine cannot be asked now; nothing is known about what it did. */
export class EngineUnavailable extends Error {
  override readonly name = "EngineUnavailable";
  /**
   * True if the engine answers, and none of its nodes has the meeting or the person: the node that
   * had them has died, or cannot be reached.
   */
  readonly isOnNoNode: boolean;

  constructor(
    message: string,
    { isOnNoNode = false, ...options }: ErrorOptions & { readonly isOnNoNode?: boolean } = {},
  ) {
    super(message, options);
    this.isOnNoNode = isOnNoNode;
  }
}

/** Returns whether something failed because no node of the engine has the meeting or the person. */
export const isOnNoNode = (error: unknown): boolean =>
  error instanceof EngineUnavailable && error.isOnNoNode;

/** The engine refused a connection. */
export class EngineRefused extends Error {
  override readonly name = "EngineRefused";
  readonly status: number;

  constructor(status: number) {
    super(`The media engine answered ${status}.`);
    this.status = status;
  }
}

/**
 * Carries the media of meetings. It knows the IDs of meetings and seats, and nothing else about
 * them.
 */
export interface MediaEngine {
  /** Starts it and waits until it answers; a slow or broken engine is retried in the background. */
  start(): Promise<void>;
  /** Ends what `start` started. */
  stop(): Promise<void>;
  health(): Promise<EngineHealth>;
  /**
   * Opens the engine's end of a person's signaling.
   *
   * @param joinRequest the `join_request` as the engine reads it
   * @param isWanted asked when its turn comes, because many may wait; omitted: it is
   * @returns an open WebSocket that is paused: listen, then `resume()`
   * @throws EngineRefused, EngineUnavailable
   */
  connect(
    meeting: string,
    seat: string,
    grant: Grant,
    joinRequest: string,
    isWanted?: () => boolean,
  ): Promise<WebSocket>;
  /**
   * Changes what somebody inside may do; media that they may no longer publish end at once.
   *
   * @returns false if they are not inside
   * @throws EngineUnavailable
   */
  update(meeting: string, seat: string, grant: Grant): Promise<boolean>;
  /**
   * Removes somebody and closes their signaling.
   *
   * @returns when the engine has confirmed, also if they were not inside
   * @throws EngineUnavailable; with `isOnNoNode` if the node that had them has died
   */
  remove(meeting: string, seat: string): Promise<void>;
  /**
   * The seats of each meeting that the engine holds, with media or without. After the death of a
   * node of a cluster it may name people who are gone.
   *
   * @throws EngineUnavailable
   */
  list(): Promise<Map<string, ReadonlySet<string>>>;
  /**
   * The seats of a meeting to which media can flow: signaling alone does not count.
   *
   * @throws EngineUnavailable
   */
  connected(meeting: string): Promise<ReadonlySet<string>>;
  /**
   * Ends a meeting for all; one that is not there is no error.
   *
   * @throws EngineUnavailable
   */
  close(meeting: string): Promise<void>;
}
