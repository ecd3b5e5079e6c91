import { Button } from "@mantine/core";
import { IconMessageSearch, IconPlayerPlay, IconSearchOff } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "react-router";
import { addressOfRoom } from "../columns/room-columns.tsx";
import { addressOfRecording } from "../columns/state-tags.tsx";
import { type FoundLine, useFoundLines, useRecordingOf } from "../data/transcripts.ts";
import { type Column, DataTable } from "../kit/data-table.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { Pager } from "../kit/pager.tsx";
import { SearchBox } from "../kit/search-box.tsx";
import { showMoment } from "../kit/show.ts";
import { Blank, Failed } from "../kit/states.tsx";
import { useTableState } from "../kit/table-state.ts";
import { Toolbar } from "../kit/toolbar.tsx";
import { t } from "../texts/index.ts";
import { Transcript } from "./transcript.tsx";

const texts = t.transcripts;
const NO_SORT = ["startedAt"] as const;

const facts: readonly Column<FoundLine>[] = [
  { key: "by", label: texts.columns.by, render: ({ peerName }) => peerName },
  {
    key: "when",
    label: texts.columns.when,
    render: ({ startedAt }) => <time dateTime={startedAt}>{showMoment(startedAt)}</time>,
  },
  {
    key: "room",
    label: texts.columns.room,
    render: ({ roomId, roomName }) => (
      <Link to={addressOfRoom(roomId)}>
        <bdi>{roomName}</bdi>
      </Link>
    ),
  },
];

interface LineDialogProps {
  readonly line: FoundLine;
  readonly onClose: () => void;
}

/** A search result: links to its transcript, and to the recording if there is one. */
const LineDialog = ({ line, onClose }: LineDialogProps) => {
  const recording = useRecordingOf(line).data;
  return (
    <Dialog title={texts.ofRoom(line.roomName)} onClose={onClose} size="56rem">
      {recording && (
        <Button
          mb="sm"
          leftSection={<IconPlayerPlay size={16} />}
          component={Link}
          to={`${addressOfRecording(recording.recordingId)}?at=${recording.at}`}
        >
          {texts.playThis}
        </Button>
      )}
      <Transcript meetingId={line.meetingId} search={line.text} />
    </Dialog>
  );
};

/** Searches what was said in all meetings; without `admin`, in those of the person's own rooms. */
export const FoundPage = () => {
  const { state, change } = useTableState(NO_SORT);
  const { page, limit, search } = state;
  const lines = useFoundLines({ page, limit, search });
  const [open, setOpen] = useState<FoundLine>();
  const said: Column<FoundLine> = {
    key: "said",
    label: texts.columns.said,
    heading: true,
    render: (line) => (
      <Button
        variant="transparent"
        p={0}
        h="auto"
        styles={{ label: { whiteSpace: "normal", textAlign: "start" } }}
        onClick={() => setOpen(line)}
      >
        <bdi lang={line.language}>{line.text}</bdi>
      </Button>
    ),
  };
  const shown = search === "" ? [] : lines.data?.found;
  const blank =
    search === ""
      ? { icon: IconMessageSearch, title: texts.begin, help: texts.beginHelp }
      : { icon: IconSearchOff, title: texts.nothingFound, help: texts.nothingFoundHelp };
  return (
    <>
      <PageHeader title={texts.found} description={texts.foundHelp} />
      <div className="card">
        <Toolbar
          search={
            <SearchBox
              label={texts.search}
              value={search}
              onSearch={(next) => change({ search: next }, { replace: true })}
            />
          }
        />
        {lines.isError && !shown ? (
          <Failed failure={lines.error} retry={() => void lines.refetch()} />
        ) : shown?.length === 0 ? (
          <Blank icon={blank.icon} title={blank.title}>
            {blank.help}
          </Blank>
        ) : (
          <DataTable
            label={texts.found}
            columns={[said, ...facts]}
            rows={shown}
            idOf={({ meetingId, startedAt, peerId }) => `${meetingId} ${startedAt} ${peerId}`}
            nameOf={({ text }) => text}
            stale={lines.isPlaceholderData}
          />
        )}
        {lines.data && search !== "" && lines.data.pagination.total > 0 && (
          <Pager
            pagination={lines.data.pagination}
            what={texts.what}
            onPage={(next) => change({ page: next })}
            onLimit={(next) => change({ limit: next })}
          />
        )}
      </div>
      {open && <LineDialog line={open} onClose={() => setOpen(undefined)} />}
    </>
  );
};
