import { Button, Skeleton } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { type Attendance, type HeldMeeting, useAttendance } from "../data/meetings.ts";
import { parley } from "../kit/client.ts";
import { DataTable } from "../kit/data-table.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { notify } from "../kit/notices.tsx";
import { useFileSave } from "../kit/save-file.ts";
import { dayOf, showDuration, showMoment } from "../kit/show.ts";
import { Failed } from "../kit/states.tsx";
import { wordIn } from "../kit/words.ts";
import { t } from "../texts/index.ts";
import css from "./meetings.module.css";

const texts = t.meetings;

/** The metadata of the application that invited the person. */
const Noted = ({ metadata }: { readonly metadata: NonNullable<Attendance["metadata"]> }) => (
  <dl className={css.noted}>
    {Object.entries(metadata).map(([name, value]) => (
      <div key={name}>
        <dt>
          <bdi>{name}</bdi>
        </dt>
        <dd>
          <bdi>{typeof value === "string" ? value : JSON.stringify(value)}</bdi>
        </dd>
      </div>
    ))}
  </dl>
);

const columns = [
  {
    key: "name",
    label: texts.name,
    heading: true,
    render: ({ peerName, userId, metadata }: Attendance) => (
      <>
        <bdi>{peerName}</bdi>
        {userId === null && <span className="dimmed small"> {texts.guest}</span>}
        {metadata && <Noted metadata={metadata} />}
      </>
    ),
  },
  { key: "role", label: texts.role, render: ({ peerType }: Attendance) => texts.roles[peerType] },
  { key: "came", label: texts.came, render: ({ joinedAt }: Attendance) => showMoment(joinedAt) },
  {
    key: "stayed",
    label: texts.stayed,
    render: ({ seconds }: Attendance) => showDuration(seconds),
  },
  {
    key: "left",
    label: texts.left,
    render: ({ reason }: Attendance) =>
      reason === null ? texts.running : (wordIn(texts.reasons, reason) ?? reason),
  },
];

/** The people who were in a meeting, for how long, and why they left. */
export const AttendanceDialog = ({
  meeting,
  onClose,
}: {
  readonly meeting: HeldMeeting;
  readonly onClose: () => void;
}) => {
  const { meetingId, roomId } = meeting;
  const { data, error, refetch } = useAttendance(meetingId);
  const { busy, save } = useFileSave();
  const run = async (rows: number): Promise<void> => {
    const name = `attendance-${roomId}-${dayOf()}.csv`;
    if (await save(name, () => parley.downloadAttendance({ meetingId }))) {
      notify({ text: t.states.exported(rows) });
    }
  };
  return (
    <Dialog
      title={texts.attendanceOf(showMoment(meeting.startedAt))}
      onClose={onClose}
      size="56rem"
    >
      {error && !data ? (
        <Failed failure={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={120} />
      ) : (
        <div className={css.attendance}>
          <DataTable
            label={texts.attendance}
            columns={columns}
            rows={data}
            idOf={({ peerId }) => peerId}
            nameOf={({ peerName }) => peerName}
          />
          <Button
            variant="default"
            leftSection={<IconDownload size={16} />}
            loading={busy}
            onClick={() => void run(data.length)}
          >
            {t.actions.export}
          </Button>
        </div>
      )}
    </Dialog>
  );
};
