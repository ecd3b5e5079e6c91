import { Link } from "react-router";
import type { InUse } from "../data/running.ts";
import { CopyIcon } from "../kit/copy.tsx";
import type { Column } from "../kit/data-table.tsx";
import { Day } from "../kit/moments.tsx";
import type { Named, RoomRecord, RoomSort } from "../kit/queries.ts";
import { showSince } from "../kit/show.ts";
import { Tag, type Tone } from "../kit/tag.tsx";
import { sayRoomWord, wordIn } from "../kit/words.ts";
import { t } from "../texts/index.ts";
import { OwnerNames } from "./owner-names.tsx";
import css from "./rooms.module.css";

const tones: Readonly<Record<string, Tone>> = { free: "calm", busy: "ok", occupied: "warn" };

export const RoomStatusTag = ({ status }: { readonly status: string }) => (
  <Tag tone={tones[status] ?? "calm"}>{wordIn(t.rooms.statuses, status) ?? status}</Tag>
);

export const addressOfRoom = (room: string): string => `/rooms/${encodeURIComponent(room)}`;

/** The status of a room, and since when how many people are inside. */
const RoomUse = ({ status, use }: { readonly status: string; readonly use: InUse | undefined }) => (
  <>
    <RoomStatusTag status={status} />
    {use !== undefined && status !== "free" && (
      <span className={css.use}>{t.roomBulk.inUse(use.inside, showSince(use.since))}</span>
    )}
  </>
);

export const roomColumns = (
  named: Named,
  inUse: ReadonlyMap<string, InUse> | undefined,
): readonly Column<RoomRecord, RoomSort>[] => [
  {
    key: "name",
    label: t.rooms.columns.name,
    sort: "naturalName",
    heading: true,
    render: ({ name, room }) => (
      <>
        <Link to={addressOfRoom(room)} className={css.name}>
          <bdi>{name}</bdi>
        </Link>
        <span className={css.id}>
          <span className="mono">{room}</span>
          <CopyIcon text={room} what={`${t.rooms.labels.room} ${room}`} />
        </span>
      </>
    ),
  },
  {
    key: "owners",
    label: t.rooms.columns.owners,
    wide: true,
    render: ({ roomOwnerId }) => <OwnerNames joined={roomOwnerId} named={named} />,
  },
  { key: "type", label: t.rooms.columns.type, render: ({ roomType }) => sayRoomWord(roomType) },
  {
    key: "status",
    label: t.rooms.columns.status,
    sort: "status",
    render: ({ room, roomStatus }) => <RoomUse status={roomStatus} use={inUse?.get(room)} />,
  },
  {
    key: "createdAt",
    label: t.rooms.columns.createdAt,
    sort: "createdAt",
    minor: true,
    render: ({ createdAt }) => <Day at={createdAt} />,
  },
  {
    key: "updatedAt",
    label: t.rooms.columns.updatedAt,
    sort: "updatedAt",
    render: ({ updatedAt }) => <Day at={updatedAt} />,
  },
];
