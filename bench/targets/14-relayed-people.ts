import { programs, restedCostsOf, sharesOf } from "../meetings/cost.ts";
import { openMeetingPlace } from "../meetings/place.ts";
import { type Figure, target } from "../target.ts";

export const relayedPeople = target({
  number: 14,
  section: "meetings",
  title: "Viewers of an event, without media",
  async measure(bench) {
    const rounds = Math.min(bench.rounds, 3);
    const people = bench.rounds < 5 ? 40 : 400;
    const taken = { service: [] as number[], engine: [] as number[] };
    const grown = { service: [] as number[], engine: [] as number[] };
    const staying = { service: [] as number[], engine: [] as number[] };
    const within: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      // A new one in each round: freed memory stays with its process.
      const place = await openMeetingPlace(bench, "SQLite");
      const code = await place.room({ roomType: "event", noOfViewers: people });
      const before = await restedCostsOf(place);
      const from = performance.now();
      const cut = await place.view(code, people);
      within.push((performance.now() - from) / 1000);
      const after = await restedCostsOf(place);
      const shares = await sharesOf(place, bench.seconds * 2);
      for (const program of programs) {
        const [one, other] = [before[program], after[program]];
        taken[program].push((other.processorMs - one.processorMs) / people);
        grown[program].push(((other.memory - one.memory) * 1000) / people);
        staying[program].push(shares[program]);
      }
      cut();
      await place.stop();
    }
    const each = (what: string, unit: Figure["unit"], from: typeof taken): Figure[] =>
      programs.map((program) => ({
        what: `${what}: ${program}`,
        database: "SQLite",
        unit,
        rounds: from[program],
      }));
    return [
      {
        what: `${people} people join and connect, 16 at a time`,
        database: "SQLite",
        unit: "s",
        rounds: within,
      },
      ...each("processor time of a join with its connection", "ms", taken),
      ...each("memory of a person", "kB", grown),
      ...each(`share of one core while ${people} people only stay`, "%", staying),
    ];
  },
});
