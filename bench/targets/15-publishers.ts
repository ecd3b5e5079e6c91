import { setTimeout as sleep } from "node:timers/promises";
import type { Bench } from "../bench.ts";
import { publish } from "../load/publishing.ts";
import { programs, restedCostsOf, sharesOf } from "../meetings/cost.ts";
import { type MeetingPlace, openMeetingPlace, type Seat } from "../meetings/place.ts";
import { type Figure, target } from "../target.ts";

/** How many people receive every picture; more of them would take processor time from the engine. */
const RECEIVERS = 2;
/** Time to estimate the bandwidth of every connection. */
const WARM_MS = 5_000;

/** People in a room, by role. */
const taker = (place: MeetingPlace, code: string) => async (people: number, peerType: string) => {
  const taken: Seat[] = [];
  while (taken.length < people) taken.push(await place.join(code, peerType));
  return taken.map(({ ticket }) => ticket);
};

/**
 * The processor time of service and engine with this number of publishers and receivers, and how many of
 * their pictures arrive.
 */
const whileReceiving = async (
  bench: Bench,
  place: MeetingPlace,
  media: Awaited<ReturnType<typeof publish>>,
  receivers: number,
) => {
  await sleep(WARM_MS);
  const shares = { service: [] as number[], engine: [] as number[] };
  const arrived: number[] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    const before = await media.count();
    const share = await sharesOf(place, bench.seconds);
    const after = await media.count();
    for (const program of programs) shares[program].push(share[program]);
    const sent = (after.sent - before.sent) * receivers;
    arrived.push((after.pictures - before.pictures) / sent);
  }
  const { tracks } = await media.count();
  return { shares, arrived, tracks };
};

/** Many viewers of one speaker, each of whom receives the picture. */
const measureViewers = async (bench: Bench, place: MeetingPlace): Promise<readonly Figure[]> => {
  const viewing = bench.rounds < 5 ? 5 : 50;
  const seats = { noOfParticipants: 1, noOfViewers: viewing };
  const code = await place.room({ roomType: "event", participantType: "participant", ...seats });
  const take = taker(place, code);
  const speaking = await take(1, "participant");
  const media = await publish(place.url, speaking, await take(viewing, "viewer"));
  const { shares, arrived } = await whileReceiving(bench, place, media, viewing);
  await media.end();
  return [
    ...programs.map(
      (program): Figure => ({
        what: `share of one core while ${viewing} viewers receive one picture: ${program}`,
        database: "SQLite",
        unit: "%",
        rounds: shares[program],
      }),
    ),
    {
      what: "pictures that arrive at these viewers, of those that were made",
      database: "SQLite",
      unit: "ratio",
      rounds: arrived,
    },
  ];
};

export const publishers = target({
  number: 15,
  section: "meetings",
  title: "People who publish, beside viewers",
  async measure(bench) {
    const [publishing, viewing] = bench.rounds < 5 ? [4, 20] : [50, 400];
    const place = await openMeetingPlace(bench, "SQLite");
    const seats = { noOfParticipants: publishing, noOfViewers: viewing + RECEIVERS };
    const code = await place.room({ roomType: "event", participantType: "participant", ...seats });
    const take = taker(place, code);
    const media = await publish(
      place.url,
      await take(publishing, "participant"),
      await take(RECEIVERS, "viewer"),
    );
    const cut = await place.view(code, viewing);
    const { shares, arrived, tracks } = await whileReceiving(bench, place, media, RECEIVERS);
    const costs = await restedCostsOf(place);
    cut();
    await media.end();
    const viewers = await measureViewers(bench, place);
    await place.stop();
    const note = `${tracks} pictures of 320 × 180, 10 a second, go from ${publishing} people to ${RECEIVERS} who receive all; ${viewing} viewers have signaling only`;
    return [
      ...programs.map(
        (program): Figure => ({
          what: `share of one core: ${program}`,
          database: "SQLite",
          unit: "%",
          rounds: shares[program],
          ...(program === "service" && { note }),
        }),
      ),
      ...programs.map(
        (program): Figure => ({
          what: `memory: ${program}`,
          database: "SQLite",
          unit: "MB",
          rounds: [costs[program].memory],
        }),
      ),
      {
        what: "pictures that arrive, of those that were made",
        database: "SQLite",
        unit: "ratio",
        rounds: arrived,
      },
      ...viewers,
    ];
  },
});
