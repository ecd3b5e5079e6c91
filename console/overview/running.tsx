import { Skeleton } from "@mantine/core";
import { Link } from "react-router";
import { addressOfRoom } from "../columns/room-columns.tsx";
import { MOST_RUNNING, type RoomInUse, useRunning } from "../data/running.ts";
import { useOrganization } from "../kit/queries.ts";
import { showSince } from "../kit/show.ts";
import { Failed } from "../kit/states.tsx";
import { Tag } from "../kit/tag.tsx";
import { EnterButton } from "../meetings/enter-room.tsx";
import { t } from "../texts/index.ts";
import css from "./overview.module.css";
import { OverviewPanel } from "./panel.tsx";

const texts = t.overview.now;

const RunningMeeting = ({ meeting }: { readonly meeting: RoomInUse }) => (
  <li>
    <span className={css.what}>
      <Link to={addressOfRoom(meeting.room)} className={css.name}>
        <bdi>{meeting.name}</bdi>
      </Link>
      <span className="dimmed small">
        {t.roomBulk.inUse(meeting.inside, showSince(meeting.since))}
      </span>
    </span>
    <span className={css.made}>
      {meeting.recording && <Tag tone="bad">{texts.recording}</Tag>}
      {meeting.streaming && <Tag tone="bad">{texts.streaming}</Tag>}
    </span>
    <EnterButton room={meeting} size="compact-sm" variant="default" />
  </li>
);

/** The running meetings, with their captures. */
export const RunningMeetings = () => {
  const organization = useOrganization().data;
  const { data, error, refetch } = useRunning();
  const { running, inside } = organization?.meetings ?? {};
  const isMore = running !== undefined && running > MOST_RUNNING;
  return (
    <OverviewPanel
      title={texts.title}
      {...(isMore && { more: { to: "/rooms?sortBy=status", label: texts.all } })}
    >
      {running === undefined || inside === undefined ? (
        <Skeleton height={24} />
      ) : (
        <p className={css.sum}>{t.overview.inside(inside, running)}</p>
      )}
      {error && !data ? (
        <Failed failure={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={48} />
      ) : (
        data.length > 0 && (
          <ul className={css.lines}>
            {data.map((meeting) => (
              <RunningMeeting key={meeting.room} meeting={meeting} />
            ))}
          </ul>
        )
      )}
    </OverviewPanel>
  );
};
