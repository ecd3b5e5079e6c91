import { Link } from "react-router";
import { addressOfRoom, RoomStatusTag } from "../columns/room-columns.tsx";
import { useSchedule } from "../data/schedule.ts";
import { CopyIcon } from "../kit/copy.tsx";
import css from "../kit/facts.module.css";
import { historyOfRoom } from "../kit/history.ts";
import type { RoomRecord } from "../kit/queries.ts";
import { around } from "../kit/said.tsx";
import { useUser } from "../kit/session.ts";
import { showMoment } from "../kit/show.ts";
import { t } from "../texts/index.ts";

/** The facts about a room besides its settings: ID, status and times. */
export const RoomFactsLine = ({ room }: { readonly room: RoomRecord }) => {
  const { admin } = useUser();
  const { data: schedule } = useSchedule(room.room);
  const next = schedule ? schedule.nextAt : room.scheduledDateTime;
  return (
    <div className={css.line}>
      <RoomStatusTag status={room.roomStatus} />
      <span className={css.pair}>
        <span className="mono">{room.room}</span>
        <CopyIcon text={room.room} what={`${t.rooms.labels.room} ${room.room}`} />
      </span>
      {next !== null && Date.parse(next) > Date.now() && (
        <span>{t.meetings.next(showMoment(next))}</span>
      )}
      <Link to={`${addressOfRoom(room.room)}/meetings`}>{t.meetings.see}</Link>
      {admin && <Link to={historyOfRoom(room.room)}>{t.history.title}</Link>}
      <span>{t.rooms.inCalls(Math.round(Number(room.totalCallTime) / 60))}</span>
      <span>
        {around(
          (moment) => t.rooms.setTo(t.rooms.columns.createdAt, moment),
          <time dateTime={room.createdAt}>{showMoment(room.createdAt)}</time>,
        )}
      </span>
      <span>
        {around(
          (moment) => t.rooms.setTo(t.rooms.columns.updatedAt, moment),
          <time dateTime={room.updatedAt}>{showMoment(room.updatedAt)}</time>,
        )}
      </span>
    </div>
  );
};
