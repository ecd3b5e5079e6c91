import { databases } from "../bench.ts";
import { joinAndLeave } from "../load/joining.ts";
import { openMeetingPlace } from "../meetings/place.ts";
import { interleave } from "../rounds.ts";
import { type Figure, target } from "../target.ts";

const PEOPLE = 32;

export const joins = target({
  number: 13,
  section: "meetings",
  title: "People who join meetings",
  async measure(bench) {
    const figures: Figure[] = [];
    for (const database of databases) {
      const place = await openMeetingPlace(bench, database);
      const { url } = place;
      const codes: string[] = [];
      while (codes.length < PEOPLE) codes.push(await place.room({ noOfParticipants: PEOPLE }));
      const perSecond = async (rooms: readonly string[]) => {
        const asked = { url, codes: rooms, people: PEOPLE, seconds: bench.seconds };
        return (await joinAndLeave(asked)).perSecond;
      };
      const { one, many } = await interleave(bench.rounds, {
        one: () => perSecond(codes.slice(0, 1)),
        many: () => perSecond(codes),
      });
      await place.stop();
      figures.push(
        {
          what: `joins, each with its leave, ${PEOPLE} people in one room`,
          database,
          unit: "a second",
          rounds: one,
        },
        {
          what: `the same in ${PEOPLE} rooms, so that each begins and ends a meeting`,
          database,
          unit: "a second",
          rounds: many,
        },
      );
    }
    return figures;
  },
});
