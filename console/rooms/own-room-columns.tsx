import { Group } from "@mantine/core";
import { isolated } from "../../contract/kit/plain.ts";
import { roomColumns } from "../columns/room-columns.tsx";
import css from "../columns/rooms.module.css";
import { useMeetingNow, useMeetings } from "../data/meetings.ts";
import type { InUse } from "../data/running.ts";
import { useComing } from "../data/schedule.ts";
import type { Column } from "../kit/data-table.tsx";
import { Day } from "../kit/moments.tsx";
import type { RoomRecord, RoomSort } from "../kit/queries.ts";
import { said } from "../kit/said.tsx";
import { showMoment, showRow } from "../kit/show.ts";
import { CopyLinkButton, EnterButton } from "../meetings/enter-room.tsx";
import { t } from "../texts/index.ts";

/** How many names fit into a table. */
const NAMES = 3;

const Inside = ({ roomId }: { readonly roomId: string }) => {
  const { data } = useMeetingNow(roomId);
  const names = (data?.peers ?? []).map(({ peerName }) => peerName);
  if (names.length === 0) return t.time.never;
  const more = names.length - NAMES;
  return (
    <span className={css.wraps}>
      {said(showRow(names.slice(0, NAMES).map(isolated)))}
      {more > 0 && ` ${t.rooms.moreInside(more)}`}
    </span>
  );
};

const LastMeeting = ({ roomId }: { readonly roomId: string }) => {
  const at = useMeetings({ page: 1, limit: 1, roomId }).data?.meetings[0]?.startedAt;
  if (at === undefined) return t.time.never;
  return <Day at={at} />;
};

/** The next date, unless it is over: that of a series may be after the one that is set. */
const NextMeeting = ({ room, scheduledDateTime }: RoomRecord) => {
  const next = useComing().data?.find(({ roomId }) => roomId === room)?.startsAt;
  const at = next ?? scheduledDateTime;
  if (at === null || (next === undefined && Date.parse(at) <= Date.now())) return t.time.never;
  return (
    <time dateTime={at} className={css.wraps}>
      {showMoment(at)}
    </time>
  );
};

/** The columns for the rooms that somebody owns: what is going on in them, and a link to enter. */
export const ownRoomColumns = (
  inUse: ReadonlyMap<string, InUse> | undefined,
): readonly Column<RoomRecord, RoomSort>[] => [
  ...roomColumns(undefined, inUse).filter(({ key }) => key === "name" || key === "status"),
  {
    key: "inside",
    label: t.meetings.inside.title,
    render: ({ room, roomStatus }) =>
      roomStatus === "free" ? t.time.never : <Inside roomId={room} />,
  },
  {
    key: "next",
    label: t.rooms.columns.next,
    render: (room) => <NextMeeting {...room} />,
  },
  {
    key: "last",
    label: t.rooms.columns.last,
    minor: true,
    render: ({ room }) => <LastMeeting roomId={room} />,
  },
  {
    key: "enter",
    label: "",
    wide: true,
    render: (room) => (
      <Group gap="xs" justify="flex-end" wrap="nowrap">
        <EnterButton room={room} size="compact-sm" />
        <CopyLinkButton room={room} size="compact-sm" />
      </Group>
    ),
  },
];
