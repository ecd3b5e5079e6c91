import { sql } from "kysely";
import type { Organization } from "../change/organization.ts";
import { piecesOf, rest } from "../db/pieces.ts";
import { inRooms, type RoomFilter, withRooms } from "./filter.ts";
import type { Period } from "./periods.ts";
import { peaksBetween, readSteps, type StoredSteps } from "./steps.ts";

/** Small enough that nobody waits for the steps of their meetings. */
const PIECE = 8;

type Row = StoredSteps & { readonly ended_at: string };

/**
 * The peak of people inside in each period, in some rooms only: computed from the steps of their
 * meetings, some periods at a time. People still inside at the end of a piece count in the next
 * one.
 */
export const filteredPeaks = async (
  organization: Organization,
  filter: RoomFilter,
  periods: readonly Period[],
): Promise<readonly number[]> => {
  const meetings = async (when: ReturnType<typeof sql>): Promise<readonly Row[]> => {
    const { rows } = await sql<Row>`${withRooms(organization, filter)}
      select started_at, ended_at, steps from usage_meetings
      where organization_id = ${organization.id} and ${when} ${inRooms(filter)}`.execute(
      organization.scan,
    );
    return rows;
  };
  const start = periods[0]?.from ?? "";
  let running = await meetings(sql`ended_at > ${start} and started_at < ${start}`);
  const peaks: number[] = [];
  for (const piece of piecesOf(periods, PIECE)) {
    const began = performance.now();
    const [from = "", to = ""] = [piece[0]?.from, piece.at(-1)?.to];
    const found = await meetings(sql`started_at >= ${from} and started_at < ${to}`);
    const here = [...running, ...found];
    const moments = [from, ...piece.map((period) => period.to)].map(Date.parse);
    peaks.push(...peaksBetween(readSteps(here), moments));
    running = here.filter(({ ended_at }) => ended_at > to);
    await rest(performance.now() - began);
  }
  return peaks;
};
