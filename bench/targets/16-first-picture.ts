import { setTimeout as sleep } from "node:timers/promises";
import { clock, openVisitors, untilSeen, type Visitor } from "../meetings/browser.ts";
import { openMeetingPlace } from "../meetings/place.ts";
import { interleave } from "../rounds.ts";
import { target } from "../target.ts";

/**
 * Time for the person inside to connect and send: connecting would take processor time during the
 * measurement.
 */
const SETTLED_MS = 2_000;

export const firstPicture = target({
  number: 16,
  section: "meetings",
  title: "From the link to the first picture",
  async measure(bench) {
    const place = await openMeetingPlace(bench, "SQLite");
    const visitors = await openVisitors();
    const linkOf = async (settings: object) =>
      `${place.url}/m/${await place.room({ noOfParticipants: 3, ...settings })}`;
    const links = {
      engine: await linkOf({ roomType: "conferencing" }),
      direct: await linkOf({ roomType: "p2p" }),
    };
    const [host, guest] = [await visitors.profile(), await visitors.profile()];
    const seconds = async (link: string): Promise<number> => {
      const ann: Visitor = await visitors.enter(host, link, "Ann");
      await ann.page.getByRole("button", { name: "Leave" }).waitFor();
      await sleep(SETTLED_MS);
      const from = clock();
      const ben = await visitors.enter(guest, link, "Ben");
      await untilSeen("a picture", async () => (await ben.pictures()).first > 0);
      const { first } = await ben.pictures();
      for (const { page } of [ann, ben]) {
        await page.getByRole("button", { name: "Leave" }).click();
        await page.close();
      }
      return (first - from) / 1000;
    };
    const { engine, direct } = await interleave(bench.rounds, {
      engine: () => seconds(links.engine),
      direct: () => seconds(links.direct),
    });
    await visitors.close();
    await place.stop();
    return [
      {
        what: "from the link to the first picture of the other, through LiveKit",
        database: "SQLite",
        unit: "s",
        rounds: engine,
        goal: { atMost: 1.5 },
        note: "the other is inside already; name and click by a script; the browser has seen the page before",
      },
      {
        what: "the same, directly",
        database: "SQLite",
        unit: "s",
        rounds: direct,
        goal: { atMost: 1.5 },
      },
    ];
  },
});
