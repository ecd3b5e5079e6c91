import { Button, Menu } from "@mantine/core";
import {
  IconCopy,
  IconCopyPlus,
  IconDoor,
  IconHistory,
  IconLink,
  IconPencil,
  IconPlus,
  IconRefresh,
  IconTrash,
  IconVideo,
} from "@tabler/icons-react";
import { Fragment, useEffect, useRef, useState } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { roomRecord } from "../../contract/rooms/record.ts";
import { secretSettings } from "../../contract/rooms/settings.ts";
import { OwnerFilter, WithoutOwnerFilter } from "../columns/owner-filter.tsx";
import { addressOfRoom, roomColumns } from "../columns/room-columns.tsx";
import { splitOwners } from "../data/room-values.ts";
import { useRoomsInUse } from "../data/running.ts";
import { parley } from "../kit/client.ts";
import { copyText } from "../kit/copy.tsx";
import { DataTable } from "../kit/data-table.tsx";
import { EXPORT_PAGE } from "../kit/export.ts";
import { ExportButton } from "../kit/export-button.tsx";
import { notify } from "../kit/notices.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { Pager } from "../kit/pager.tsx";
import {
  findNamed,
  type RoomRecord,
  type RoomsQuery,
  roomSorts,
  roomsInput,
  useMay,
  useNamed,
  useRooms,
} from "../kit/queries.ts";
import { RowMenu } from "../kit/row-menu.tsx";
import { SearchBox } from "../kit/search-box.tsx";
import { useUser } from "../kit/session.ts";
import { Blank, Failed, NoMatch } from "../kit/states.tsx";
import { useTableState } from "../kit/table-state.ts";
import { SortSelect, Toolbar } from "../kit/toolbar.tsx";
import { copyRoomLink, doorOf } from "../meetings/enter-room.tsx";
import { RenewLink } from "../meetings/renew-link.tsx";
import { WhatIsNext } from "../schedule/coming.tsx";
import { ScheduleButton } from "../schedule/scheduling.tsx";
import { t } from "../texts/index.ts";
import { DeleteRoom } from "./delete-room.tsx";
import { NewMeeting } from "./new-meeting.tsx";
import { ownRoomColumns } from "./own-room-columns.tsx";
import { RoomBulk } from "./room-bulk.tsx";
import { filtersIn, RoomFilters } from "./room-filters.tsx";

const hidden: ReadonlySet<string> = new Set(secretSettings);
const exported = Object.keys(roomRecord.shape).filter((key) => !hidden.has(key));
/** The names of the owners, besides their IDs. */
const withOwners = exported.flatMap((key) => (key === "roomOwnerId" ? [key, "owners"] : [key]));

/** A page of rooms for the export; if the caller may look people up, with the names of the owners. */
const exportPage = async (query: RoomsQuery, admin: boolean, signal: AbortSignal) => {
  const { roomSettings, pagination } = await parley.listRooms(roomsInput(query), { signal });
  const ids = roomSettings.flatMap(({ roomOwnerId }) => splitOwners(roomOwnerId));
  const named = admin ? await findNamed(ids, signal) : new Map<string, never>();
  const rows = roomSettings.map((room) => ({
    ...room,
    owners: splitOwners(room.roomOwnerId).map((id) => named.get(id)?.name ?? id),
  }));
  return { rows, total: pagination.total };
};
const sorts = roomSorts.map((sort) => ({ sort, label: t.rooms.columns[sort] }));

const CreateButton = () => (
  <Button component={Link} to="/rooms/new" variant="default" leftSection={<IconPlus size={16} />}>
    {t.rooms.create}
  </Button>
);

/** All rooms for administrators; for others the rooms that they own. */
export const RoomsPage = () => {
  const { admin } = useUser();
  const may = useMay();
  const navigate = useNavigate();
  const isFirstPage = useLocation().pathname === "/";
  const { state, change, params } = useTableState(roomSorts);
  const userFilter = params.get("userFilter") ?? "";
  const withoutOwner = params.get("withoutOwner") === "true";
  const filters = filtersIn(params);
  const query = { ...state, ...filters, userFilter, withoutOwner };
  // A search looks at every room: it is not repeated all the time.
  const rooms = useRooms(query, state.search === "");
  const shown = rooms.data?.roomSettings;
  const inUse = useRoomsInUse(
    (shown ?? []).filter(({ roomStatus }) => roomStatus !== "free").map(({ room }) => room),
  );
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  // The selected rooms may be on another page now.
  const seen = useRef(new Map<string, RoomRecord>());
  for (const room of shown ?? []) seen.current.set(room.room, room);
  const chosen = [...selected].flatMap((id) => seen.current.get(id) ?? []);
  const named = useNamed(
    (shown ?? []).map(({ roomOwnerId }) => splitOwners(roomOwnerId)[0] ?? "").filter(Boolean),
  );
  const [deleting, setDeleting] = useState<RoomRecord>();
  const [renewing, setRenewing] = useState<RoomRecord>();
  const onSort = (sortBy: string, sortOrder: string) => change({ sortBy, sortOrder });
  const { roomType, roomStatus } = filters;
  const filtered =
    state.search !== "" || userFilter !== "" || withoutOwner || !!roomType || !!roomStatus;
  const pagination = rooms.data?.pagination;

  // The last room of the last page was deleted, or the address is outdated.
  const pages = pagination?.totalPages ?? 0;
  useEffect(() => {
    if (pages > 0 && state.page > pages && !rooms.isPlaceholderData)
      change({ page: pages }, { replace: true });
  });

  const entering = (room: RoomRecord) => (
    <>
      <Menu.Item
        leftSection={<IconVideo size={16} />}
        component="a"
        href={doorOf(room.room)}
        target="_blank"
        rel="noreferrer"
      >
        {room.roomStatus === "free" ? t.meetings.start : t.meetings.join}
      </Menu.Item>
      <Menu.Item leftSection={<IconLink size={16} />} onClick={() => void copyRoomLink(room)}>
        {t.meetings.copyLink}
      </Menu.Item>
    </>
  );
  const seeing = (room: RoomRecord) => (
    <>
      <Menu.Item leftSection={<IconRefresh size={16} />} onClick={() => setRenewing(room)}>
        {t.meetings.renewal.open}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconHistory size={16} />}
        component={Link}
        to={`${addressOfRoom(room.room)}/meetings`}
      >
        {t.meetings.see}
      </Menu.Item>
    </>
  );
  const editing = (room: RoomRecord) => (
    <>
      {may?.editRooms && (
        <Menu.Item
          leftSection={<IconPencil size={16} />}
          component={Link}
          to={addressOfRoom(room.room)}
        >
          {t.rooms.edit}
        </Menu.Item>
      )}
      {may?.createRooms && (
        <Menu.Item
          leftSection={<IconCopyPlus size={16} />}
          onClick={() => void navigate(`/rooms/new?from=${encodeURIComponent(room.room)}`)}
        >
          {t.rooms.duplicate}
        </Menu.Item>
      )}
    </>
  );
  const ownMenu = (room: RoomRecord) => (
    <RowMenu name={room.name}>
      {seeing(room)}
      {editing(room)}
    </RowMenu>
  );

  const menu = (room: RoomRecord) => (
    <RowMenu name={room.name}>
      {entering(room)}
      {seeing(room)}
      <Menu.Divider />
      {editing(room)}
      <Menu.Item
        leftSection={<IconCopy size={16} />}
        onClick={async () => {
          if (await copyText(room.room)) notify({ text: t.actions.copied });
        }}
      >
        {t.rooms.copyId}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item
        data-danger
        leftSection={<IconTrash size={16} />}
        onClick={() => setDeleting(room)}
      >
        {t.rooms.delete}
      </Menu.Item>
    </RowMenu>
  );

  const isWithoutRooms = shown?.length === 0 && !filtered;
  const actions = [
    !isWithoutRooms && (
      <Fragment key="export">
        {(["csv", "json"] as const).map((format) => (
          <ExportButton
            key={format}
            format={format}
            short
            name="rooms"
            columns={admin ? withOwners : exported}
            idOf={({ room }) => room}
            ask={(page, signal) =>
              exportPage({ ...query, page, limit: EXPORT_PAGE }, admin, signal)
            }
          />
        ))}
      </Fragment>
    ),
    may?.createRooms && <CreateButton key="create" />,
    <ScheduleButton key="schedule" />,
    <NewMeeting key="meet" />,
  ];

  return (
    <>
      <PageHeader
        title={admin ? t.rooms.title : t.rooms.myTitle}
        description={
          admin
            ? t.rooms.description
            : may?.editRooms
              ? t.rooms.ownDescription
              : t.rooms.myDescription
        }
        // The button that people come for is first on a phone, and at the right edge of an administrator's page.
        actions={admin ? actions : actions.toReversed()}
      />
      {!admin && isFirstPage && <WhatIsNext />}
      <div className="card">
        <Toolbar
          search={
            <SearchBox
              label={admin ? t.rooms.searchLabel : t.rooms.ownSearchLabel}
              placeholder={admin ? t.rooms.searchHint : t.rooms.ownSearchHint}
              value={state.search}
              onSearch={(search) => change({ search }, { replace: true })}
            />
          }
        >
          <RoomFilters {...filters} onChange={change} />
          {admin && (
            <>
              <WithoutOwnerFilter
                value={withoutOwner}
                onChange={(only) => change({ withoutOwner: only ? "true" : "", userFilter: "" })}
              />
              {!withoutOwner && (
                <OwnerFilter value={userFilter} onChange={(id) => change({ userFilter: id })} />
              )}
            </>
          )}
          <SortSelect sorts={sorts} by={state.sortBy} order={state.sortOrder} onSort={onSort} />
        </Toolbar>
        <RoomBulk rooms={chosen} onClear={() => setSelected(new Set())} />
        {rooms.isError && !shown ? (
          <Failed failure={rooms.error} retry={() => void rooms.refetch()} />
        ) : shown?.length === 0 ? (
          filtered ? (
            <NoMatch
              title={t.rooms.noMatch}
              help={t.rooms.noMatchHelp}
              clear={() =>
                change({
                  search: "",
                  userFilter: "",
                  withoutOwner: "",
                  roomType: "",
                  roomStatus: "",
                })
              }
            />
          ) : (
            <Blank
              icon={IconDoor}
              title={admin ? t.rooms.empty : t.rooms.myEmpty}
              action={may?.createRooms && <CreateButton />}
            >
              {admin
                ? t.rooms.emptyHelp
                : may?.createRooms
                  ? t.rooms.ownEmptyHelp
                  : t.rooms.myEmptyHelp}
            </Blank>
          )
        ) : (
          <DataTable
            label={t.rooms.title}
            columns={admin ? roomColumns(named.data, inUse) : ownRoomColumns(inUse)}
            rows={shown}
            idOf={({ room }) => room}
            nameOf={({ name }) => name}
            stale={rooms.isPlaceholderData}
            sorting={{ by: state.sortBy, order: state.sortOrder, onSort }}
            selection={may?.editRooms ? { selected, onSelect: setSelected } : undefined}
            menu={admin ? menu : ownMenu}
          />
        )}
        {pagination && pagination.total > 0 && (
          <Pager
            pagination={pagination}
            what={t.rooms.what}
            onPage={(page) => change({ page })}
            onLimit={(limit) => change({ limit })}
          />
        )}
      </div>
      {renewing && <RenewLink room={renewing} onClose={() => setRenewing(undefined)} />}
      {deleting && <DeleteRoom room={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  );
};
