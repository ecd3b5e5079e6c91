import { setTimeout as sleep } from "node:timers/promises";
import { ownMemoryOf } from "../memory.ts";
import { processorMsOf } from "../processor.ts";
import type { MeetingPlace } from "./place.ts";

/** The resources that the service and the engine have used so far. */
export interface Cost {
  /** Milliseconds of processor time. */
  readonly processorMs: number;
  /** Memory without mapped files, in MB. */
  readonly memory: number;
}

export type Costs = Readonly<Record<"service" | "engine", Cost>>;

/** Time for garbage collection, and for pending work to end. */
const REST_MS = 1_500;

const costOf = (pid: number): Cost => ({
  processorMs: processorMsOf(pid),
  memory: ownMemoryOf(pid),
});

export const costsOf = (place: Pick<MeetingPlace, "servicePid" | "enginePid">): Costs => ({
  service: costOf(place.servicePid()),
  engine: costOf(place.enginePid()),
});

/** The resources of both, measured once they have settled. */
export const restedCostsOf = async (place: MeetingPlace): Promise<Costs> => {
  await sleep(REST_MS);
  return costsOf(place);
};

export const programs = ["service", "engine"] as const;

/** The share of one core that each takes, in percent, over this time without any change. */
export const sharesOf = async (
  place: MeetingPlace,
  seconds: number,
): Promise<Readonly<Record<"service" | "engine", number>>> => {
  const before = costsOf(place);
  const from = performance.now();
  await sleep(seconds * 1000);
  const after = costsOf(place);
  const passed = performance.now() - from;
  const share = (program: "service" | "engine") =>
    ((after[program].processorMs - before[program].processorMs) / passed) * 100;
  return { service: share("service"), engine: share("engine") };
};
