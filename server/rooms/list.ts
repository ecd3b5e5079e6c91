import { ROOM_FORM } from "../../contract/room-record.ts";
import { roundedUp } from "../db/limits.ts";
import { inPieces, PIECE } from "../db/pieces.ts";
import { termOf } from "../fold.ts";
import type { Organization, Queries } from "../organization.ts";
import type { Utf8 } from "../utf8.ts";
import { byOrganization } from "./counters.ts";
import {
  type Asked,
  askByIds,
  askJoined,
  askRows,
  askTotal,
  FAR,
  type PageAsked,
  type Shape,
} from "./list-queries.ts";
import { isNewPlace, nearestPlace, rememberPlace } from "./page-starts.ts";
import { findMatches } from "./search.ts";
import { recordOf } from "./stored.ts";

/** A part of a page as it is answered, and where it ends, if that is known. */
interface Part {
  readonly entries: number;
  readonly records: Utf8;
  readonly end: { readonly key: string; readonly id: string; readonly version: number } | undefined;
}

const partOf = async (
  db: Queries,
  shape: Shape,
  asked: Asked,
  former: string | null,
): Promise<Part> => {
  const [joined] = await askJoined(db, shape, asked);
  const {
    entries = 0,
    records = "",
    oldestForm = null,
    key = null,
    id = null,
    version,
  } = joined ?? {};
  const isOld = former !== null || (oldestForm !== null && oldestForm < ROOM_FORM);
  return {
    entries: Number(entries),
    records: isOld
      ? (await askRows(db, shape, asked)).map((row) => recordOf(row, former)).join(",")
      : (records ?? ""),
    end: key !== null && id !== null && version !== undefined ? { key, id, version } : undefined,
  };
};

/**
 * One page of rooms as texts of records with commas between them, and how many there are in all.
 * Who is no administrator sees the rooms that they own.
 */
export const pageOfRooms = async (
  organization: Organization,
  { page, limit, search, userFilter, sortBy, sortOrder }: PageAsked,
): Promise<{ readonly total: number; readonly pieces: AsyncIterable<Utf8> }> => {
  const { id: organizationId, read, scan, find, caller } = organization;
  const own = caller.admin ? "" : (caller.userId ?? "");
  if (own !== "" && userFilter !== "" && userFilter !== own) return { total: 0, pieces: none() };
  const filter = { byOwner: own !== "" || userFilter !== "", bySearch: search !== "" };
  const isWhole = !filter.byOwner && !filter.bySearch;
  const values = {
    organizationId,
    owner: own || userFilter,
    ...termOf(search),
  };
  const order = { ...filter, sortBy, sortOrder };
  const offset = (page - 1) * limit;
  const counted = await find(byOrganization, [organizationId]);
  const former = counted?.former ?? null;
  if (former?.split(",").includes(values.owner)) return { total: 0, pieces: none() };
  const version = counted?.rooms_version ?? 0;
  const matches = filter.bySearch
    ? await findMatches(organization, order, values, { offset, limit })
    : undefined;
  const total =
    (isWhole ? counted?.used_rooms : matches?.total) ??
    Number((await askTotal(read, filter, values))[0]?.total);
  if (offset >= total) return { total, pieces: none() };
  if (matches?.page) return { total, pieces: recordsOf(read, matches.page, former) };

  const list = { organizationId, sortBy, sortOrder };
  const start = isWhole ? nearestPlace(list, version, offset) : undefined;
  // The total was read first: what was added since then is for the next request to tell.
  const most = Math.min(limit, total - offset);
  // The rooms of an owner are sorted anew each time.
  const isLong = filter.byOwner && total > FAR;
  const parts = inPieces<Part>(
    most,
    ({ entries }) => entries,
    async (last, size) => {
      const from = last ? last.end : start;
      const skip = last ? 0 : offset - (start?.offset ?? 0);
      const endsAt = offset + size;
      const within = roundedUp(skip + size);
      const isNew = isWhole && !last && isNewPlace(list, version, endsAt, total);
      const part = await partOf(
        filter.bySearch || isLong || skip > FAR || most > PIECE ? scan : read,
        { ...order, after: from !== undefined, far: skip > FAR, within, end: isNew || most > size },
        { ...values, key: from?.key ?? "", id: from?.id ?? "", size, offset: skip },
        former,
      );
      if (isNew && part.end?.version === version) {
        rememberPlace(list, version, { offset: endsAt, key: part.end.key, id: part.end.id });
      }
      return part;
    },
  );
  return { total, pieces: recordsIn(parts) };
};

async function* none(): AsyncGenerator<Utf8> {}

/** The records of these rooms, in their order. */
async function* recordsOf(db: Queries, ids: readonly string[], former: string | null) {
  const rows = await askByIds(db, null, { ids });
  const byId = new Map(rows.map((row) => [row.id, recordOf(row, former)]));
  yield ids.flatMap((id) => byId.get(id) ?? []).join(",");
}

async function* recordsIn(parts: AsyncIterable<Part>): AsyncGenerator<Utf8> {
  for await (const { records } of parts) yield records;
}
