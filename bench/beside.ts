import type { Bench } from "./bench.ts";
import type { Plan } from "./load/plan.ts";
import { timedMedian } from "./load/timed.ts";
import { interleave } from "./rounds.ts";
import { ratios } from "./statistics.ts";

/**
 * The factor by which the median request takes longer while other work runs. Both come from separate
 * processes, one request after the other.
 *
 * @param work keeps the service busy for `seconds`
 */
export const beside = async (
  { rounds, seconds }: Pick<Bench, "rounds" | "seconds">,
  plan: Plan,
  work: (seconds: number) => Promise<unknown>,
): Promise<number[]> => {
  const { busy, idle } = await interleave(rounds, {
    idle: () => timedMedian(plan, { seconds }),
    async busy() {
      // The work begins before and ends after the timed requests.
      const working = work(seconds + 1.5);
      const started = new Promise((resolve) => setTimeout(resolve, 700));
      const [value] = await Promise.all([
        started.then(() => timedMedian(plan, { seconds })),
        working,
      ]);
      return value;
    },
  });
  return ratios(busy, idle);
};
