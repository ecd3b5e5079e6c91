import { fork } from "node:child_process";
import { once } from "node:events";

/** The next action of the people of a crowd. */
export type CrowdTask =
  | {
      /** Join, with the typed client of the meeting socket, as many at once as a proxy passes on. */
      readonly do: "come";
      /** The services, by turns. */
      readonly urls: readonly string[];
      /** The codes of the rooms' links. */
      readonly codes: readonly string[];
      /** How many people enter each room. */
      readonly each: number;
      readonly peerType?: "participant" | "viewer";
      /** An account's; without it they are guests. */
      readonly token?: string | undefined;
    }
  | {
      /** Write, raise and lower hands, leave and come back: at random, whether or not the service keeps up. */
      readonly do: "act";
      readonly seconds: number;
      /** How often a second, by all people together. */
      readonly perSecond: Readonly<Record<Act, number>>;
    }
  | {
      /** One person writes to everybody in the room. */
      readonly do: "write";
      readonly code: string;
    }
  | { readonly do: "leave" };

export const acts = ["chat", "hand", "again"] as const;
export type Act = (typeof acts)[number];

/** Its outcome. */
export interface CrowdReport {
  readonly seconds: number;
  /** Milliseconds from each act to its reply, and from a message until everybody in the room has it. */
  readonly times: Readonly<Record<Act | "seen", readonly number[]>>;
  /** How many acts failed, and how many connections were lost. */
  readonly failed: number;
  readonly lost: number;
  /** How often a join was answered that the service is busy. */
  readonly busy: number;
  /** How many people are inside. */
  readonly inside: number;
}

/** Very many people in a separate process. */
export interface Crowd {
  carryOut(task: CrowdTask): Promise<CrowdReport>;
  end(): void;
}

/** Starts the process of a crowd. */
export const startCrowd = (): Crowd => {
  const child = fork(new URL("crowd-process.ts", import.meta.url));
  const end = (): void => void child.kill("SIGKILL");
  process.once("exit", end);
  const failed = once(child, "exit").then(([code]) => {
    throw new Error(`The crowd ended with ${code}.`);
  });
  failed.catch(() => {});
  return {
    async carryOut(task) {
      child.send(task);
      const [report] = await Promise.race([once(child, "message"), failed]);
      return report as CrowdReport;
    },
    end() {
      process.off("exit", end);
      end();
    },
  };
};
