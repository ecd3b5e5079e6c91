import { Button, Menu, NativeSelect } from "@mantine/core";
import {
  IconDownload,
  IconMessageSearch,
  IconMovie,
  IconPencil,
  IconPlayerPlay,
  IconShare,
  IconTrash,
} from "@tabler/icons-react";
import { Link } from "react-router";
import { recordingStates } from "../../contract/recordings/record.ts";
import { OwnerFilter } from "../columns/owner-filter.tsx";
import css from "../columns/recordings.module.css";
import { addressOfRoom } from "../columns/room-columns.tsx";
import { addressOfRecording, RecordingStateTag } from "../columns/state-tags.tsx";
import { datedName, type RecordingRecord, useRecordings } from "../data/recordings.ts";
import { type Column, DataTable } from "../kit/data-table.tsx";
import { DayFilter, momentOf } from "../kit/day-filter.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { Pager } from "../kit/pager.tsx";
import { useRoom } from "../kit/queries.ts";
import { RowMenu } from "../kit/row-menu.tsx";
import { SearchBox } from "../kit/search-box.tsx";
import { useUser } from "../kit/session.ts";
import { showBytes, showDuration, showMoment } from "../kit/show.ts";
import { Blank, Failed, NoMatch } from "../kit/states.tsx";
import { useTableState } from "../kit/table-state.ts";
import { Toolbar } from "../kit/toolbar.tsx";
import { t } from "../texts/index.ts";
import { type RecordingActions, useRecordingActions } from "./recording-actions.tsx";

const texts = t.recordings;
const NO_SORT = ["startedAt"] as const;
const NO_FILTER = { search: "", state: "", userFilter: "", roomId: "", from: "", to: "" };

const columns: readonly Column<RecordingRecord>[] = [
  {
    key: "name",
    label: texts.columns.name,
    heading: true,
    render: ({ recordingId, name, startedAt, type }) => (
      <>
        <Link to={addressOfRecording(recordingId)} className={css.name}>
          <bdi>{datedName({ name, startedAt })}</bdi>
        </Link>
        {type === "a" && <span className={`dimmed small ${css.under}`}>{texts.soundOnly}</span>}
      </>
    ),
  },
  {
    key: "room",
    label: texts.columns.room,
    breaks: true,
    render: ({ roomId, roomName }) => (
      <Link to={addressOfRoom(roomId)}>
        <bdi>{roomName}</bdi>
      </Link>
    ),
  },
  {
    key: "startedAt",
    label: texts.columns.startedAt,
    render: ({ startedAt }) =>
      startedAt === null ? t.time.never : <time dateTime={startedAt}>{showMoment(startedAt)}</time>,
  },
  {
    key: "duration",
    label: texts.columns.duration,
    minor: true,
    render: ({ seconds }) => (seconds === null ? t.time.never : showDuration(seconds)),
  },
  {
    key: "size",
    label: texts.columns.size,
    minor: true,
    render: ({ bytes }) => (bytes === null ? t.time.never : showBytes(bytes)),
  },
  {
    key: "state",
    label: texts.columns.state,
    breaks: true,
    render: (recording) => <RecordingStateTag recording={recording} />,
  },
];

const menuOf = (actions: RecordingActions) => (recording: RecordingRecord) => {
  const isReady = recording.state === "ready";
  return (
    <RowMenu name={recording.name}>
      {isReady && (
        <>
          <Menu.Item
            leftSection={<IconPlayerPlay size={16} />}
            component={Link}
            to={addressOfRecording(recording.recordingId)}
          >
            {texts.play}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconDownload size={16} />}
            onClick={() => actions.download(recording)}
          >
            {texts.download}
          </Menu.Item>
          <Menu.Item leftSection={<IconShare size={16} />} onClick={() => actions.share(recording)}>
            {texts.share}
          </Menu.Item>
        </>
      )}
      <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => actions.rename(recording)}>
        {texts.rename}
      </Menu.Item>
      {(isReady || recording.state === "failed") && (
        <>
          <Menu.Divider />
          <Menu.Item
            data-danger
            leftSection={<IconTrash size={16} />}
            onClick={() => actions.remove(recording)}
          >
            {texts.delete}
          </Menu.Item>
        </>
      )}
    </RowMenu>
  );
};

/** All recordings; without `admin`, those of the person's own rooms. */
export const RecordingsPage = () => {
  const { admin } = useUser();
  const { state, change, params } = useTableState(NO_SORT);
  const only = recordingStates.find((one) => one === params.get("state"));
  const [userFilter, roomId] = [params.get("userFilter") ?? "", params.get("roomId") ?? ""];
  const [from, to] = [params.get("from") ?? "", params.get("to") ?? ""];
  const [since, until] = [momentOf(from), momentOf(to, 1)];
  const recordings = useRecordings({
    page: state.page,
    limit: state.limit,
    search: state.search,
    ...(only && { state: only }),
    ...(userFilter && { userFilter }),
    ...(roomId && { roomId }),
    ...(since && { from: since }),
    ...(until && { to: until }),
  });
  const room = useRoom(roomId === "" ? undefined : roomId).data;
  const actions = useRecordingActions();
  const shown = recordings.data?.recordings;
  const isFiltered = [state.search, only, userFilter, roomId, from, to].some(Boolean);

  return (
    <>
      <PageHeader
        title={texts.title}
        description={roomId === "" ? texts.description : texts.ofRoom(room?.name ?? roomId)}
        actions={
          <Button
            variant="default"
            leftSection={<IconMessageSearch size={16} />}
            component={Link}
            to="/transcripts"
          >
            {t.transcripts.search}
          </Button>
        }
      />
      <div className="card">
        <Toolbar
          search={
            <SearchBox
              label={texts.searchLabel}
              placeholder={texts.searchHint}
              value={state.search}
              onSearch={(search) => change({ search }, { replace: true })}
            />
          }
        >
          <NativeSelect
            aria-label={texts.filter}
            value={only ?? ""}
            onChange={(event) => change({ state: event.currentTarget.value })}
            data={[
              { value: "", label: texts.all },
              ...recordingStates.map((one) => ({ value: one, label: texts.states[one] })),
            ]}
          />
          {admin && (
            <OwnerFilter
              label={texts.ownerFilter}
              value={userFilter}
              onChange={(id) => change({ userFilter: id })}
            />
          )}
          <DayFilter label={t.table.from} value={from} onChange={(day) => change({ from: day })} />
          <DayFilter label={t.table.to} value={to} onChange={(day) => change({ to: day })} />
        </Toolbar>
        {recordings.isError && !shown ? (
          <Failed failure={recordings.error} retry={() => void recordings.refetch()} />
        ) : shown?.length === 0 ? (
          isFiltered ? (
            <NoMatch
              title={texts.noMatch}
              help={texts.noMatchHelp}
              clear={() => change(NO_FILTER)}
            />
          ) : (
            <Blank icon={IconMovie} title={texts.empty}>
              {texts.emptyHelp}
            </Blank>
          )
        ) : (
          <DataTable
            label={texts.title}
            columns={columns}
            rows={shown}
            idOf={({ recordingId }) => recordingId}
            nameOf={({ name }) => name}
            stale={recordings.isPlaceholderData}
            menu={menuOf(actions)}
          />
        )}
        {recordings.data && recordings.data.pagination.total > 0 && (
          <Pager
            pagination={recordings.data.pagination}
            what={texts.what}
            onPage={(page) => change({ page })}
            onLimit={(limit) => change({ limit })}
          />
        )}
      </div>
      {actions.dialogs}
    </>
  );
};
