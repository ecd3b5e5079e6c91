import { NativeSelect } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import type { Row } from "../../contract/kit/csv.ts";
import type { Input } from "../../contract/kit/operation.ts";
import { LARGEST_PAGE } from "../../contract/kit/plain.ts";
import type {
  listPeopleUsage,
  listRoomUsage,
  PersonUsage,
  RoomUsage,
} from "../../contract/organization/usage.ts";
import { addressOfRoom } from "../columns/room-columns.tsx";
import { usePeopleUsage, useRoomUsage } from "../data/usage.ts";
import { parley } from "../kit/client.ts";
import { type Column, DataTable } from "../kit/data-table.tsx";
import type { Piece } from "../kit/export.ts";
import { ExportButton } from "../kit/export-button.tsx";
import { Day } from "../kit/moments.tsx";
import { Pager } from "../kit/pager.tsx";
import { showNumber } from "../kit/show.ts";
import { Failed } from "../kit/states.tsx";
import { t } from "../texts/index.ts";
import css from "./usage.module.css";

const texts = t.usage;

/** The choices of days for unused rooms and people. */
const DAYS = [7, 30, 90, 180, 365] as const;
/** The rows of a page; few, because two lists stand side by side. */
const LIMIT = 10;

/** The filters of the page. */
export type UsageFilter = Pick<
  Input<typeof listRoomUsage>,
  "from" | "to" | "timeZone" | "roomType" | "tag"
>;

const when = (moment: string | null, never: string): ReactNode =>
  moment === null ? <span className="dimmed">{never}</span> : <Day at={moment} />;

const number = (value: number): ReactNode => <span className="figures">{showNumber(value)}</span>;

const roomColumns = (isUnused: boolean): readonly Column<RoomUsage>[] => [
  {
    key: "name",
    label: texts.rooms.columns.name,
    heading: true,
    render: ({ roomId, roomName }) => (
      <Link to={addressOfRoom(roomId)}>
        <bdi>{roomName}</bdi>
      </Link>
    ),
  },
  ...(isUnused
    ? []
    : (["meetings", "people", "minutes"] as const).map((key) => ({
        key,
        label: texts.rooms.columns[key],
        minor: key === "people",
        render: (row: RoomUsage) => number(row[key]),
      }))),
  {
    key: "last",
    label: texts.rooms.last,
    minor: !isUnused,
    render: ({ lastUsedAt }) => when(lastUsedAt, texts.rooms.never),
  },
];

const personColumns = (isUnused: boolean): readonly Column<PersonUsage>[] => [
  {
    key: "name",
    label: texts.people.columns.name,
    heading: true,
    render: ({ userId, name, email }) => (
      <>
        <Link to={`/people/${encodeURIComponent(userId)}`}>
          <bdi>{name}</bdi>
        </Link>
        {isUnused && (
          <div className="dimmed small">
            <bdi>{email}</bdi>
          </div>
        )}
      </>
    ),
  },
  ...(isUnused
    ? []
    : (["meetings", "minutes"] as const).map((key) => ({
        key,
        label: texts.people.columns[key],
        render: (row: PersonUsage) => number(row[key]),
      }))),
  {
    key: "last",
    label: texts.people.last,
    minor: !isUnused,
    render: ({ lastUsedAt }) => when(lastUsedAt, texts.people.never),
  },
];

interface ListCardProps {
  readonly title: string;
  readonly show: string;
  readonly busiest: string;
  readonly unused: (days: number) => string;
  /** The chosen days; undefined: the busiest. */
  readonly days: number | undefined;
  readonly onDays: (days: number | undefined) => void;
  readonly file: string;
  readonly columns: readonly string[];
  readonly idOf: (row: Row) => unknown;
  readonly ask: (page: number, signal: AbortSignal) => Promise<Piece>;
  readonly children: ReactNode;
}

/** A list with its choice of the busiest or the unused, and the button that exports it. */
const ListCard = (props: ListCardProps) => {
  const { title, show, busiest, unused, days, onDays, file, columns, idOf, ask, children } = props;
  return (
    <section className="card" aria-label={title}>
      <div className={css.head}>
        <h2>{title}</h2>
        <NativeSelect
          aria-label={show}
          value={days ?? ""}
          onChange={({ currentTarget: { value } }) =>
            onDays(value === "" ? undefined : Number(value))
          }
          data={[
            { value: "", label: busiest },
            ...DAYS.map((count) => ({ value: String(count), label: unused(count) })),
          ]}
        />
        <ExportButton name={file} columns={columns} idOf={idOf} ask={ask} />
      </div>
      {children}
    </section>
  );
};

const Nothing = ({ children }: { readonly children: string }) => (
  <p className={`dimmed ${css.none}`}>{children}</p>
);

/** The page of each list. */
const useList = () => {
  const [state, setState] = useState<{ days: number | undefined; page: number; limit: number }>({
    days: undefined,
    page: 1,
    limit: LIMIT,
  });
  const { days, page, limit } = state;
  return {
    days,
    paged: { page, limit, ...(days !== undefined && { unusedFor: days }) },
    onDays: (next: number | undefined) => setState({ days: next, page: 1, limit }),
    onPage: (next: number) => setState({ ...state, page: next }),
    onLimit: (next: number) => setState({ days, page: 1, limit: next }),
  };
};

/** The busiest rooms, or those unused for some days. */
export const RoomList = ({ filter }: { readonly filter: UsageFilter }) => {
  const { days, paged, onDays, onPage, onLimit } = useList();
  const asked: Input<typeof listRoomUsage> = { ...filter, ...paged };
  const { data, error, refetch, isPlaceholderData } = useRoomUsage(asked);
  const rows = data?.rooms;
  return (
    <ListCard
      {...texts.rooms}
      unused={texts.unused}
      days={days}
      onDays={onDays}
      file="room-usage"
      columns={["roomId", "roomName", "meetings", "people", "minutes", "lastUsedAt"]}
      idOf={({ roomId }) => roomId}
      ask={async (page, signal) => {
        const piece = { ...asked, page, limit: LARGEST_PAGE };
        const { rooms, pagination } = await parley.listRoomUsage(piece, { signal });
        return { rows: rooms, total: pagination.total };
      }}
    >
      {error && !rows ? (
        <Failed failure={error} retry={() => void refetch()} />
      ) : rows?.length === 0 ? (
        <Nothing>{days === undefined ? texts.rooms.none : texts.rooms.noneUnused}</Nothing>
      ) : (
        <DataTable
          label={texts.rooms.title}
          columns={roomColumns(days !== undefined)}
          rows={rows}
          idOf={({ roomId }) => roomId}
          nameOf={({ roomName }) => roomName}
          stale={isPlaceholderData}
        />
      )}
      {data && data.pagination.total > 0 && (
        <Pager
          pagination={data.pagination}
          of={texts.rooms.title}
          what={texts.rooms.what}
          onPage={onPage}
          onLimit={onLimit}
        />
      )}
    </ListCard>
  );
};

/** The people who were longest in meetings, or in none for some days. */
export const PeopleList = ({ filter }: { readonly filter: UsageFilter }) => {
  const { days, paged, onDays, onPage, onLimit } = useList();
  const asked: Input<typeof listPeopleUsage> = { ...filter, ...paged };
  const { data, error, refetch, isPlaceholderData } = usePeopleUsage(asked);
  const rows = data?.people;
  const known = data?.unusedFor ?? null;
  return (
    <ListCard
      {...texts.people}
      unused={texts.absent}
      days={days}
      onDays={onDays}
      file="people-usage"
      columns={["userId", "name", "email", "meetings", "minutes", "lastUsedAt"]}
      idOf={({ userId }) => userId}
      ask={async (page, signal) => {
        const piece = { ...asked, page, limit: LARGEST_PAGE };
        const { people, pagination } = await parley.listPeopleUsage(piece, { signal });
        return { rows: people, total: pagination.total };
      }}
    >
      {days !== undefined && known !== null && known < days && (
        <p className={`dimmed small ${css.none}`}>{texts.people.known(known)}</p>
      )}
      {error && !rows ? (
        <Failed failure={error} retry={() => void refetch()} />
      ) : rows?.length === 0 ? (
        <Nothing>{days === undefined ? texts.people.none : texts.people.noneUnused}</Nothing>
      ) : (
        <DataTable
          label={texts.people.title}
          columns={personColumns(days !== undefined)}
          rows={rows}
          idOf={({ userId }) => userId}
          nameOf={({ name }) => name}
          stale={isPlaceholderData}
        />
      )}
      {data && data.pagination.total > 0 && (
        <Pager
          pagination={data.pagination}
          of={texts.people.title}
          what={texts.people.what}
          onPage={onPage}
          onLimit={onLimit}
        />
      )}
    </ListCard>
  );
};
