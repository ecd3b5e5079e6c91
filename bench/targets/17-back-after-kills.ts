import { clock, openVisitors, untilSeen } from "../meetings/browser.ts";
import { openMeetingPlace } from "../meetings/place.ts";
import { target } from "../target.ts";

/** How long pictures must arrive again before they count as back. */
const STEADY_MS = 1_500;

export const backAfterKills = target({
  number: 17,
  section: "meetings",
  title: "A meeting after kill -9",
  async measure(bench) {
    const rounds = Math.min(bench.rounds, 3);
    const place = await openMeetingPlace(bench, "SQLite");
    const visitors = await openVisitors();
    const code = await place.room({ roomType: "conferencing", noOfParticipants: 2 });
    const link = `${place.url}/m/${code}`;
    const people = [
      await visitors.enter(await visitors.profile(), link, "Ann"),
      await visitors.enter(await visitors.profile(), link, "Ben"),
    ];
    const all = (holds: (one: (typeof people)[number]) => Promise<boolean>) => async () =>
      (await Promise.all(people.map(holds))).every(Boolean);
    const steady = (since: number) =>
      untilSeen(
        "pictures go on",
        all(async (one) => (await one.pictures()).last > since + STEADY_MS),
      );
    /** The longest time without pictures, for either person. */
    const gap = async () =>
      Math.max(...(await Promise.all(people.map(async (one) => (await one.pictures()).gap)))) /
      1000;
    const engine: number[] = [];
    const service: number[] = [];
    const signaling: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await steady(clock());
      for (const one of people) await one.reset();
      await place.killEngine();
      // Pictures already on their way may still arrive after the kill.
      await untilSeen(
        "pictures are back",
        all(async (one) => (await one.pictures()).gap > 500),
      );
      await steady(clock());
      engine.push(await gap());

      for (const one of people) await one.reset();
      const killed = clock();
      await place.killService();
      await untilSeen(
        "both are connected",
        all(async (one) => (await one.connectedSince()) > killed),
      );
      const since = await Promise.all(people.map((one) => one.connectedSince()));
      signaling.push((Math.max(...since) - killed) / 1000);
      await steady(clock());
      service.push(await gap());
    }
    await visitors.close();
    await place.stop();
    return [
      {
        what: "LiveKit is killed and started again: longest time without pictures",
        database: "SQLite",
        unit: "s",
        rounds: engine,
        goal: { atMost: 10 },
      },
      {
        what: "the service is killed and started again: longest time without pictures",
        database: "SQLite",
        unit: "s",
        rounds: service,
        goal: { atMost: 10 },
      },
      {
        what: "until everybody's meeting socket is open again",
        database: "SQLite",
        unit: "s",
        rounds: signaling,
        goal: { atMost: 10 },
        note: "with the start of the service",
      },
    ];
  },
});
