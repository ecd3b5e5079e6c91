import { Button, Group } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { useState } from "react";
import { Link, useParams } from "react-router";
import { addressOfRoom } from "../columns/room-columns.tsx";
import { type HeldMeeting, useMeetings } from "../data/meetings.ts";
import { parley } from "../kit/client.ts";
import { DataTable } from "../kit/data-table.tsx";
import { EXPORT_PAGE } from "../kit/export.ts";
import { ExportButton } from "../kit/export-button.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { Pager } from "../kit/pager.tsx";
import { useRoom } from "../kit/queries.ts";
import { SearchBox } from "../kit/search-box.tsx";
import { showDuration, showMoment, showNumber } from "../kit/show.ts";
import { Blank, Failed } from "../kit/states.tsx";
import { useTableState } from "../kit/table-state.ts";
import { Tag } from "../kit/tag.tsx";
import { Toolbar } from "../kit/toolbar.tsx";
import { t } from "../texts/index.ts";
import { TranscriptDialog } from "../transcripts/transcript.tsx";
import { AttendanceDialog } from "./attendance-dialog.tsx";
import { CopyLinkButton, EnterButton } from "./enter-room.tsx";
import { Excluded } from "./excluded.tsx";
import { InsideNow } from "./inside-now.tsx";

const texts = t.meetings;
const EXPORTED = ["meetingId", "roomId", "roomName", "startedAt", "endedAt", "seconds", "people"];
const SORTS = ["startedAt"] as const;

const began = {
  key: "startedAt",
  label: texts.columns.startedAt,
  render: ({ startedAt }: HeldMeeting) => <time dateTime={startedAt}>{showMoment(startedAt)}</time>,
};
const room = {
  key: "room",
  label: texts.columns.room,
  breaks: true,
  render: ({ roomId, roomName }: HeldMeeting) => (
    <Link to={`${addressOfRoom(roomId)}/meetings`}>
      <bdi>{roomName}</bdi>
    </Link>
  ),
};
const facts = [
  {
    key: "duration",
    label: texts.columns.duration,
    render: ({ seconds, endedAt }: HeldMeeting) =>
      endedAt === null ? <Tag tone="ok">{texts.running}</Tag> : showDuration(seconds),
  },
  {
    key: "people",
    label: texts.columns.people,
    render: ({ people }: HeldMeeting) => showNumber(people),
  },
];

const rated = {
  key: "rating",
  label: texts.columns.rating,
  render: ({ rating, ratings }: HeldMeeting) =>
    rating === null ? null : texts.rated(showNumber(rating), ratings),
};

/** Past meetings: of one room, or of all rooms that the person may see. */
const History = ({ roomId }: { readonly roomId?: string }) => {
  const { state, change } = useTableState(SORTS);
  const { page, limit, search } = state;
  const asked = { page, limit, ...(roomId ? { roomId } : { search }) };
  const held = useMeetings(asked);
  const [shown, setShown] = useState<HeldMeeting>();
  const [read, setRead] = useState<HeldMeeting>();
  const attendance = {
    key: "attendance",
    label: "",
    wide: true,
    render: (meeting: HeldMeeting) => (
      <Group gap="xs">
        <Button size="compact-sm" variant="default" onClick={() => setShown(meeting)}>
          {texts.attendance}
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => setRead(meeting)}>
          {t.transcripts.title}
        </Button>
      </Group>
    ),
  };
  const rows = held.data?.meetings;
  const pagination = held.data?.pagination;
  const isRated = rows?.some(({ rating }) => rating !== null) === true;
  return (
    <div className="card">
      {roomId === undefined && (
        <Toolbar
          search={
            <SearchBox
              label={texts.searchLabel}
              placeholder={texts.searchHint}
              value={search}
              onSearch={(wanted) => change({ search: wanted }, { replace: true })}
            />
          }
        />
      )}
      {held.isError && !rows ? (
        <Failed failure={held.error} retry={() => void held.refetch()} />
      ) : rows?.length === 0 ? (
        <Blank icon={IconHistory} title={search === "" ? texts.empty : texts.noMatch}>
          {search === "" ? texts.emptyHelp : texts.noMatchHelp}
        </Blank>
      ) : (
        <DataTable
          label={texts.title}
          columns={[
            { ...began, heading: true },
            ...(roomId ? [] : [room]),
            ...facts,
            ...(isRated ? [rated] : []),
            attendance,
          ]}
          rows={rows}
          idOf={({ meetingId }) => meetingId}
          nameOf={({ startedAt }) => showMoment(startedAt)}
          stale={held.isPlaceholderData}
        />
      )}
      {pagination && pagination.total > 0 && (
        <Pager
          pagination={pagination}
          what={texts.what}
          onPage={(page) => change({ page })}
          onLimit={(limit) => change({ limit })}
        />
      )}
      {read && <TranscriptDialog meeting={read} onClose={() => setRead(undefined)} />}
      {shown && <AttendanceDialog meeting={shown} onClose={() => setShown(undefined)} />}
    </div>
  );
};

const Export = ({ roomId }: { readonly roomId?: string }) => {
  const { search } = useTableState(SORTS).state;
  return (
    <ExportButton
      name="meetings"
      columns={EXPORTED}
      idOf={({ meetingId }) => meetingId}
      ask={async (page, signal) => {
        const asked = { page, limit: EXPORT_PAGE, ...(roomId ? { roomId } : { search }) };
        const { meetings, pagination } = await parley.listMeetings(asked, { signal });
        return { rows: meetings, total: pagination.total };
      }}
    />
  );
};

/** All meetings; without `admin`, those in the person's own rooms. */
export const MeetingsPage = () => (
  <>
    <PageHeader title={texts.title} description={texts.description} actions={<Export />} />
    <History />
  </>
);

/** The meetings of one room, and who is inside now. */
export const RoomMeetingsPage = () => {
  const { id = "" } = useParams();
  const record = useRoom(id).data;
  return (
    <>
      <PageHeader
        title={texts.ofRoom(record?.name ?? id)}
        description={<Link to={addressOfRoom(id)}>{t.rooms.settings}</Link>}
        actions={
          <>
            <Export roomId={id} />
            {record && (
              <>
                <CopyLinkButton room={record} />
                <EnterButton room={record} />
              </>
            )}
          </>
        }
      />
      <InsideNow roomId={id} />
      <Excluded roomId={id} />
      <History roomId={id} />
    </>
  );
};
