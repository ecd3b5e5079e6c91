import { Skeleton } from "@mantine/core";
import { type Attendance, type HeldMeeting, useAttendance } from "../data/meetings.ts";
import { showMoment } from "../data/show.ts";
import { DataTable } from "../parts/data-table.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { ExportButton } from "../parts/export-button.tsx";
import { Failed } from "../parts/states.tsx";
import css from "../styles/meetings.module.css";
import { t } from "../texts/index.ts";

const texts = t.meetings;
const EXPORTED = ["peerName", "peerType", "userId", "joinedAt", "leftAt", "seconds", "reason"];

const columns = [
  {
    key: "name",
    label: texts.name,
    heading: true,
    render: ({ peerName, userId }: Attendance) => (
      <>
        {peerName}
        {userId === null && <span className="dimmed small"> {texts.guest}</span>}
      </>
    ),
  },
  { key: "role", label: texts.role, render: ({ peerType }: Attendance) => texts.roles[peerType] },
  { key: "came", label: texts.came, render: ({ joinedAt }: Attendance) => showMoment(joinedAt) },
  {
    key: "stayed",
    label: texts.stayed,
    render: ({ seconds }: Attendance) => texts.duration(seconds),
  },
  {
    key: "left",
    label: texts.left,
    render: ({ reason }: Attendance) =>
      reason === null ? texts.running : (texts.reasons[reason] ?? reason),
  },
];

/** Who was in a meeting, for how long, and why they left. */
export const AttendanceDialog = ({
  meeting,
  onClose,
}: {
  readonly meeting: HeldMeeting;
  readonly onClose: () => void;
}) => {
  const { data, error, refetch } = useAttendance(meeting.meetingId);
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
          <ExportButton
            name={`attendance-${meeting.roomId}`}
            columns={EXPORTED}
            idOf={({ peerId }) => peerId}
            ask={async () => ({ rows: data, total: data.length })}
          />
        </div>
      )}
    </Dialog>
  );
};
