import type { Logger } from "pino";
import type { CaptureConfig } from "../config/capture.ts";
import type { Database } from "../db/open.ts";
import type { ServedSocket } from "../lib/upgrade.ts";
import { type Capture, CaptureFailed, type CaptureOptions, startCapture } from "./capture.ts";
import { type CaptureDoor, openDoor } from "./door.ts";
import { removeLeftovers } from "./program-folder.ts";

export interface CapturesOptions {
  readonly database: Database;
  readonly config: CaptureConfig;
  /** The folder of the built console; undefined without one. */
  readonly pages: string | undefined;
  /** The meeting sockets, as the service serves them. */
  readonly entrances: readonly ServedSocket[];
  /** The names of the STUN and TURN servers. */
  readonly hosts: readonly string[];
  readonly log: Pick<Logger, "warn">;
}

/** The captures of this process: hidden browsers in meetings. */
export interface Captures {
  /**
   * Starts receiving a meeting.
   *
   * @returns when its first bytes are being written
   * @throws CaptureFailed; Refusal `no_meeting` if nobody is inside
   */
  start(options: CaptureOptions): Promise<Capture>;
  /** Ends all of them. */
  stop(): Promise<void>;
}

/** Opens the captures of this process, and ends those of a killed one. */
export const openCaptures = ({ pages, entrances, config, ...parts }: CapturesOptions): Captures => {
  const running = new Set<Promise<Capture>>();
  let door: Promise<CaptureDoor> | undefined;
  let isStopping = false;
  const leftovers = removeLeftovers().catch((err: unknown) => {
    parts.log.warn({ err }, "what a killed recorder left is still there");
  });

  return {
    start(options) {
      if (isStopping || pages === undefined) return Promise.reject(new CaptureFailed("stopping"));
      door ??= openDoor(pages, entrances).catch((error: unknown) => {
        door = undefined;
        throw error;
      });
      const starting = door.then((opened) =>
        startCapture({ ...parts, config, door: opened }, options),
      );
      running.add(starting);
      starting
        .then(({ ended }) => ended)
        .catch(() => {})
        .finally(() => running.delete(starting));
      return starting;
    },
    async stop() {
      isStopping = true;
      await leftovers;
      await Promise.all(
        [...running].map((starting) =>
          starting.then(
            (capture) => capture.stop("service_stopped"),
            () => {},
          ),
        ),
      );
      await (await door)?.stop();
    },
  };
};
