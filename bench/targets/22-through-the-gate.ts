import { ParticipantUpdate } from "@livekit/protocol";
import { Filter } from "../../server/media/filter.ts";
import { writeJoinRequest } from "../../server/media/join-request.ts";
import { joined, joinRequest, person, response } from "../../test/media/messages.ts";
import { openSignaling } from "../../test/meetings/rush.ts";
import { databases } from "../bench.ts";
import { type MeetingPlace, openMeetingPlace } from "../meetings/place.ts";
import { interleave } from "../rounds.ts";
import { ratios } from "../statistics.ts";
import { type Figure, target } from "../target.ts";

const PEOPLE = 50;

/** Carries something out for everybody at once. @returns the milliseconds until the last is done */
const together = async <T>(each: readonly T[], carry: (one: T) => Promise<() => void>) => {
  const from = performance.now();
  const ends = await Promise.all(each.map(carry));
  const milliseconds = performance.now() - from;
  for (const end of ends) end();
  return milliseconds;
};

/** People with tickets of one new meeting connect at once. */
const throughGate = async (place: MeetingPlace): Promise<number> => {
  const code = await place.room({ noOfParticipants: PEOPLE });
  const tickets: string[] = [];
  while (tickets.length < PEOPLE) tickets.push((await place.join(code, "participant")).ticket);
  return together(tickets, async (ticket) => {
    const socket = await openSignaling(place.url, ticket);
    if (typeof socket === "number") throw new Error(`The gate answered ${socket}.`);
    return () => socket.terminate();
  });
};

let meetings = 0;

/** The same without Parley. */
const straight = (place: MeetingPlace): Promise<number> => {
  meetings += 1;
  const meeting = `straight-${process.pid}-${meetings}`;
  const grant = {
    publish: ["microphone"],
    subscribe: true,
    hidden: false,
    recorder: false,
  } as const;
  const people = Array.from({ length: PEOPLE }, (_, at) => `seat-${at}`);
  return together(people, async (seat) => {
    const asked = writeJoinRequest(joinRequest());
    const socket = await place.engine.connect(meeting, seat, grant, asked);
    return () => socket.terminate();
  });
};

const UPDATES = 2_000;

/** Passes updates about one person on to a client that sees this many. @returns the processor time in milliseconds */
const passOn = (people: number) => async (): Promise<number> => {
  const filter = new Filter({ seat: "me", see: () => "all", ice: [] }, joinRequest());
  const others = Array.from({ length: people }, (_, at) => `seat-${at}`);
  filter.fromEngine(joined("me", others));
  const value = new ParticipantUpdate({ participants: [person("seat-0")] });
  const update = response({ case: "update", value });
  const before = process.cpuUsage();
  for (let sent = 0; sent < UPDATES; sent += 1) filter.fromEngine(update);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

export const gate = target({
  number: 22,
  section: "meetings",
  title: "People who come in the same moment",
  async measure(bench) {
    const figures: Figure[] = [];
    for (const database of databases) {
      const place = await openMeetingPlace(bench, database);
      const rounds = await interleave(bench.rounds, {
        through: () => throughGate(place),
        past: () => straight(place),
      });
      await place.stop();
      const what = `${PEOPLE} people with tickets connect at once`;
      figures.push(
        { what: `${what}, through the gate`, database, unit: "ms", rounds: rounds.through },
        { what: `${what}, straight to LiveKit`, database, unit: "ms", rounds: rounds.past },
      );
    }
    const passed = await interleave(bench.rounds, { few: passOn(20), many: passOn(1_000) });
    return [
      ...figures,
      {
        what: "processor time of a message about one person, 1,000 inside against 20",
        database: "SQLite",
        unit: "ratio",
        rounds: ratios(passed.many, passed.few),
        goal: { atMost: 2 },
      },
    ];
  },
});
