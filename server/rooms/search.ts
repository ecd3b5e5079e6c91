import { roundedUp } from "../db/limits.ts";
import { PIECE } from "../db/pieces.ts";
import type { Organization } from "../organization.ts";
import { byOrganization } from "./counters.ts";
import { findNames } from "./known-names.ts";
import {
  askFound,
  askSorted,
  askTotal,
  type Chosen,
  type Filter,
  type Order,
} from "./list-queries.ts";

/** Which part of the list is asked for. */
interface Cut {
  readonly offset: number;
  readonly limit: number;
}

/** What a search finds. */
interface Matches {
  readonly total: number;
  /** The IDs of the rooms of the page, in order; undefined where it has to be walked to. */
  readonly page: readonly string[] | undefined;
}

/** Of so many matches the number and the page are found at once. One of `roundedUp`. */
const FOUND = 512;

/** Always as many IDs, so that there are few texts of queries. */
const padded = (ids: readonly string[]): string[] =>
  Array.from({ length: roundedUp(ids.length) }, (_, at) => ids[at] ?? ids[0] ?? "");

/** Among the names in memory; undefined where they are not known. */
const findKnown = async (
  { id, find, read }: Organization,
  order: Order,
  { term }: Chosen,
  { offset, limit }: Cut,
): Promise<Matches | undefined> => {
  const organization = await find(byOrganization, [id]);
  const size = limit <= PIECE ? limit : 0;
  const isByName = order.sortBy === "name";
  const { sortOrder } = order;
  const asked = isByName
    ? { term, sortOrder, offset, size }
    : { term, sortOrder, offset: 0, size: FOUND };
  const found = organization && (await findNames(read, organization, asked));
  if (!found) return undefined;
  const { total, ids } = found;
  if (size === 0 || (!isByName && ids.length < total)) return { total, page: undefined };
  if (isByName || total === 0) return { total, page: ids };
  const sorted = await askSorted(read, order, { ids: padded(ids), offset, size });
  return { total, page: sorted.map(({ id }) => id) };
};

/** Over all names in the database. */
const walkTo = async (
  { scan }: Organization,
  order: Filter & Order,
  chosen: Chosen,
  { offset, limit }: Cut,
): Promise<Matches> => {
  const found = await askFound(scan, order, { ...chosen, size: FOUND });
  const total =
    found.length < FOUND ? found.length : Number((await askTotal(scan, order, chosen))[0]?.total);
  const isFound = limit <= PIECE && Math.min(offset + limit, total) <= found.length;
  const page = found.slice(offset, offset + limit).map(({ id }) => id);
  return { total, page: isFound ? page : undefined };
};

/** Finds the rooms whose name contains a term: how many there are, and those of a page. */
export const findMatches = async (
  organization: Organization,
  order: Filter & Order,
  chosen: Chosen,
  cut: Cut,
): Promise<Matches> =>
  (order.byOwner ? undefined : await findKnown(organization, order, chosen, cut)) ??
  (await walkTo(organization, order, chosen, cut));
