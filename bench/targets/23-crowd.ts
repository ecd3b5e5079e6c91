import { setTimeout as sleep } from "node:timers/promises";
import type { Bench } from "../bench.ts";
import { acts, startCrowd } from "../load/crowd.ts";
import { openMeetingPlace } from "../meetings/place.ts";
import { descendantsOf, ownMemoryOf } from "../memory.ts";
import { processorMsOf, processorMsWithChildrenOf } from "../processor.ts";
import { say } from "../say.ts";
import { type Figure, target } from "../target.ts";

/*
 * Two services on one PostgreSQL, and people with the typed client. LiveKit runs, and nobody connects to it: target
 * 14 measures that for each person.
 */

/** How many people there are at most. */
interface Size {
  readonly meetings: number;
  readonly each: number;
  readonly viewers: number;
  /** The parts of all that are measured one after the other. */
  readonly stages: readonly number[];
}
const full: Size = { meetings: 1_000, each: 10, viewers: 5_000, stages: [0.1, 0.5, 1] };
const quick: Size = { meetings: 4, each: 5, viewers: 20, stages: [0.5, 1] };

/** The load of one meeting per second: a message a minute, a raised hand every two, and a return every five. */
const ofMeeting = { chat: 1 / 60, hand: 1 / 120, again: 1 / 300 } as const;
/** Seats of people who come back before theirs is free. */
const SPARE = 5;
/** A lively one. */
const LIVELY = 4;
const AT_ONCE = 8;
const REST_MS = 2_000;

/** The resources that both parts have used so far. */
interface Used {
  readonly services: number;
  readonly database: number;
  readonly memory: number;
  readonly bytes: number;
  readonly transactions: number;
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;

/** The time of a process that may have ended: then its parent has it. */
const msOfBackend = (pid: number): number => {
  try {
    return processorMsOf(pid);
  } catch {
    return 0;
  }
};

/** The people of a crowd, and their cost. */
const openCosts = async (bench: Bench, pids: readonly number[]) => {
  const { pid, query } = await bench.postgres();
  return async (): Promise<Used> => {
    const [row] = await query(
      `select sum(xact_commit) as transactions, sum(pg_database_size(datid)) as bytes
        from pg_stat_database where datname like 'bench_small%'`,
    );
    const sumOf = (of: (pid: number) => number) => pids.reduce((sum, one) => sum + of(one), 0);
    return {
      services: sumOf(processorMsOf),
      memory: sumOf(ownMemoryOf),
      database:
        processorMsWithChildrenOf(pid) +
        descendantsOf(pid).reduce((sum, one) => sum + msOfBackend(one), 0),
      bytes: Number(row?.bytes),
      transactions: Number(row?.transactions),
    };
  };
};

export const crowd = target({
  number: 23,
  section: "meetings",
  title: "Ten thousand people in meetings",
  async measure(bench) {
    const { meetings, each, viewers, stages } = bench.isQuick ? quick : full;
    const place = await openMeetingPlace(bench, "PostgreSQL");
    const second = await place.second();
    const urls = [place.url, second.url];
    const used = await openCosts(bench, [place.servicePid(), second.pid]);
    const figures: Figure[] = [];
    const figure = (what: string, unit: Figure["unit"], value: number): void =>
      void figures.push({ what, unit, database: "PostgreSQL", rounds: [value] });
    const people = startCrowd();

    /** Measures the cost of a piece of work. @returns how much was used, and for how long */
    const costOf = async <T>(work: () => Promise<T>) => {
      const before = await used();
      const from = performance.now();
      const result = await work();
      const seconds = (performance.now() - from) / 1000;
      const after = await used();
      const grown = (name: keyof Used) => after[name] - before[name];
      return { result, seconds, grown };
    };
    const come = async (codes: readonly string[], all: number, title: string) => {
      const count = codes.length * all;
      const peerType = all === viewers ? ("viewer" as const) : ("participant" as const);
      const { grown, result } = await costOf(async () => {
        const report = await people.carryOut({ do: "come", urls, codes, each: all, peerType });
        await sleep(REST_MS);
        return report;
      });
      figure(`${title}: come in`, "a second", count / result.seconds);
      say(
        `${title}: ${result.inside} inside, ${result.busy} asked again, ${result.failed} failed, ${result.lost} lost.`,
      );
      figure(`${title}: processor time of each, services`, "ms", grown("services") / count);
      figure(`${title}: processor time of each, PostgreSQL`, "ms", grown("database") / count);
      figure(`${title}: memory of each in the services`, "kB", (grown("memory") * 1000) / count);
      figure(`${title}: database of each`, "kB", grown("bytes") / 1000 / count);
    };
    const stay = async (title: string) => {
      const { grown, seconds } = await costOf(() => sleep(bench.seconds * 10_000));
      figure(`${title}, only stay: services`, "%", grown("services") / seconds / 10);
      figure(`${title}, only stay: PostgreSQL`, "%", grown("database") / seconds / 10);
      figure(`${title}, only stay: transactions`, "a second", grown("transactions") / seconds);
    };
    const act = async (title: string, times: number) => {
      const { grown, seconds, result } = await costOf(() =>
        people.carryOut({
          do: "act",
          seconds: bench.seconds * 15,
          perSecond: {
            chat: ofMeeting.chat * times,
            hand: ofMeeting.hand * times,
            again: ofMeeting.again * times,
          },
        }),
      );
      const done = acts.reduce((sum, one) => sum + result.times[one].length, 0);
      figure(`${title}: acts`, "a second", done / result.seconds);
      figure(`${title}: acts that fail`, "%", (100 * result.failed) / (done + result.failed));
      figure(`${title}: services`, "%", grown("services") / seconds / 10);
      figure(`${title}: PostgreSQL`, "%", grown("database") / seconds / 10);
      for (const name of ["chat", "again", "seen"] as const) {
        figure(
          `${title}: ${words[name]}, 19 of 20 within`,
          "ms",
          percentile(result.times[name], 0.95),
        );
      }
    };
    const leave = async (title: string, count: number) => {
      const { grown, result } = await costOf(() => people.carryOut({ do: "leave" }));
      figure(`${title}: leave`, "a second", count / result.seconds);
      figure(`${title}: processor time of each, services`, "ms", grown("services") / count);
    };

    const rooms: string[] = [];
    const make = async (): Promise<void> => {
      while (rooms.length < meetings) {
        rooms.push("");
        const at = rooms.length - 1;
        rooms[at] = await place.room({ noOfParticipants: each + SPARE });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, make));
    let inside = 0;
    for (const stage of stages) {
      const to = Math.round(meetings * stage);
      const title = `${to} meetings of ${each}`;
      await come(rooms.slice(inside, to), each, title);
      inside = to;
      await stay(title);
      await act(title, to);
    }
    await act(`${inside} lively meetings`, inside * LIVELY);
    await leave(`${inside} meetings of ${each}`, inside * each);

    // Its administrator sees everybody.
    const { tokens } = await bench.dataset("PostgreSQL", "small");
    const event = await place.room({ roomType: "event", noOfViewers: viewers });
    await people.carryOut({ do: "come", urls, codes: [event], each: 1, token: tokens[0] });
    await come([event], viewers, `an event of ${viewers}`);
    await stay(`an event of ${viewers}`);
    const report = await people.carryOut({ do: "write", code: event });
    figure(`an event of ${viewers}: everybody has a message`, "ms", report.times.seen[0] ?? 0);
    await leave(`an event of ${viewers}`, viewers);

    people.end();
    await second.stop();
    await place.stop();
    return figures;
  },
});

const words = {
  chat: "reply to a message",
  again: "left and back",
  seen: "everybody has a message",
} as const;
