import { setTimeout as sleep } from "node:timers/promises";
import { publish } from "../load/publishing.ts";
import { programs, restedCostsOf, sharesOf } from "../meetings/cost.ts";
import { openMeetingPlace, type Seat } from "../meetings/place.ts";
import { type Figure, target } from "../target.ts";

/** Who receive every picture; more of them would take the cores from the engine. */
const RECEIVERS = 2;
/** Until the bandwidth of every connection is known. */
const WARM_MS = 5_000;

export const publishers = target({
  number: 15,
  section: "meetings",
  title: "People who publish, beside viewers",
  async measure(bench) {
    const [publishing, viewing] = bench.rounds < 5 ? [4, 20] : [50, 400];
    const place = await openMeetingPlace(bench, "SQLite");
    const seats = { noOfParticipants: publishing, noOfViewers: viewing + RECEIVERS };
    const code = await place.room({ roomType: "event", participantType: "participant", ...seats });
    const take = async (people: number, peerType: string): Promise<string[]> => {
      const taken: Seat[] = [];
      while (taken.length < people) taken.push(await place.join(code, peerType));
      return taken.map(({ ticket }) => ticket);
    };
    const media = await publish(
      place.url,
      await take(publishing, "participant"),
      await take(RECEIVERS, "viewer"),
    );
    const cut = await place.view(code, viewing);
    await sleep(WARM_MS);
    const shares = { service: [] as number[], engine: [] as number[] };
    const arrived: number[] = [];
    for (let round = 0; round < bench.rounds; round += 1) {
      const before = await media.count();
      const share = await sharesOf(place, bench.seconds);
      const after = await media.count();
      for (const program of programs) shares[program].push(share[program]);
      const sent = (after.sent - before.sent) * RECEIVERS;
      arrived.push((after.pictures - before.pictures) / sent);
    }
    const { tracks } = await media.count();
    const costs = await restedCostsOf(place);
    cut();
    await media.end();
    await place.stop();
    const note = `${tracks} pictures of 320 × 180, 10 a second, go from ${publishing} people to ${RECEIVERS} who receive all; ${viewing} viewers have signaling only`;
    return [
      ...programs.map(
        (program): Figure => ({
          what: `share of one core: ${program}`,
          ...{ database: "SQLite", unit: "%", rounds: shares[program] },
          ...(program === "service" && { note }),
        }),
      ),
      ...programs.map(
        (program): Figure => ({
          what: `memory: ${program}`,
          ...{ database: "SQLite", unit: "MB", rounds: [costs[program].memory] },
        }),
      ),
      {
        what: "pictures that arrive, of those that were made",
        ...{ database: "SQLite", unit: "ratio", rounds: arrived },
      },
    ];
  },
});
