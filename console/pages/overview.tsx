import { Button, Skeleton, Title } from "@mantine/core";
import { IconDoor, IconPlus } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useOrganization, useRooms } from "../data/queries.ts";
import { showBytes, showMoment, showNumber } from "../data/show.ts";
import { Meter } from "../parts/meter.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Blank, Failed } from "../parts/states.tsx";
import { Tag, type Tone } from "../parts/tag.tsx";
import { EngineNote } from "../rooms/engine-note.tsx";
import { NewMeeting } from "../rooms/new-meeting.tsx";
import { addressOfRoom, RoomStatus } from "../rooms/room-columns.tsx";
import { WhatIsNext } from "../schedule/coming.tsx";
import { ScheduleButton } from "../schedule/scheduling.tsx";
import css from "../styles/overview.module.css";
import { t } from "../texts/index.ts";

const Panel = ({
  title,
  children,
  wide,
}: {
  readonly title: string;
  readonly children: ReactNode;
  readonly wide?: boolean;
}) => (
  <section className={`card ${css.panel} ${wide ? css.wide : ""}`}>
    <Title order={2} size="h6" className={css.title ?? ""}>
      {title}
    </Title>
    {children}
  </section>
);

const Fact = ({
  label,
  tone,
  children,
}: {
  readonly label: string;
  readonly tone?: Tone;
  readonly children: ReactNode;
}) => (
  <div>
    <dt>{tone ? <Tag tone={tone}>{label}</Tag> : label}</dt>
    <dd>{children}</dd>
  </div>
);

const STATUSES = ["free", "busy", "occupied"] as const;

const RecentRooms = () => {
  const rooms = useRooms({
    page: 1,
    limit: 10,
    sortBy: "updatedAt",
    sortOrder: "DESC",
    search: "",
    userFilter: "",
    withoutOwner: false,
  });
  const shown = rooms.data?.roomSettings.slice(0, 5);
  return (
    <Panel title={t.overview.recent} wide>
      {rooms.isError ? (
        <Failed failure={rooms.error} retry={() => void rooms.refetch()} />
      ) : shown === undefined ? (
        <Skeleton height={180} />
      ) : shown.length === 0 ? (
        <Blank
          icon={IconDoor}
          title={t.overview.noRooms}
          action={
            <Button component={Link} to="/rooms/new" leftSection={<IconPlus size={16} />}>
              {t.rooms.create}
            </Button>
          }
        >
          {t.overview.noRoomsHelp}
        </Blank>
      ) : (
        <>
          <ul className={css.recent}>
            {shown.map(({ room, name, roomStatus, updatedAt }) => (
              <li key={room}>
                <Link to={addressOfRoom(room)}>
                  <bdi>{name}</bdi>
                </Link>
                <RoomStatus status={roomStatus} />
                <time className="dimmed small" dateTime={updatedAt}>
                  {showMoment(updatedAt)}
                </time>
              </li>
            ))}
          </ul>
          <Link to="/rooms" className={css.more}>
            {t.overview.allRooms}
          </Link>
        </>
      )}
    </Panel>
  );
};

/** The state of the organization at a glance. */
export const OverviewPage = () => {
  const { data, error, refetch } = useOrganization();
  const header = (
    <PageHeader
      title={data?.name ?? t.overview.title}
      description={data?.plan ? t.overview.plan(data.plan) : t.overview.title}
      actions={
        <>
          <ScheduleButton />
          <NewMeeting />
        </>
      }
    />
  );
  if (error && !data) {
    return (
      <>
        {header}
        <div className="card">
          <Failed failure={error} retry={() => void refetch()} />
        </div>
      </>
    );
  }
  return (
    <>
      {header}
      <WhatIsNext />
      <div className={css.grid}>
        <Panel title={t.overview.roomsUsed}>
          {data ? (
            <Meter label={t.overview.roomsUsed} used={data.used.rooms} limit={data.limits.rooms} />
          ) : (
            <Skeleton height={84} />
          )}
        </Panel>
        <Panel title={t.overview.peopleUsed}>
          {data ? (
            <Meter label={t.overview.peopleUsed} used={data.used.users} limit={data.limits.users} />
          ) : (
            <Skeleton height={84} />
          )}
        </Panel>
        <Panel title={t.overview.byStatus}>
          {data ? (
            <>
              <p className={css.now}>
                {t.overview.inside(data.meetings.inside, data.meetings.running)}
              </p>
              <EngineNote />
              <dl className={css.numbers}>
                {STATUSES.map((status) => (
                  <div key={status}>
                    <dt>
                      <RoomStatus status={status} />
                      <span className="dimmed small">{t.rooms.statusHelp[status]}</span>
                    </dt>
                    <dd>{showNumber(data.rooms[status])}</dd>
                  </div>
                ))}
              </dl>
            </>
          ) : (
            <Skeleton height={84} />
          )}
        </Panel>
        <Panel title={t.overview.emails}>
          {data ? (
            <>
              <dl className={css.numbers}>
                <div>
                  <dt>
                    <Tag tone={data.letters.waiting > 0 ? "warn" : "calm"}>
                      {t.overview.waiting}
                    </Tag>
                    <span className="dimmed small">{t.overview.waitingHelp}</span>
                  </dt>
                  <dd>{showNumber(data.letters.waiting)}</dd>
                </div>
                <div>
                  <dt>
                    <Tag tone={data.letters.refused > 0 ? "bad" : "calm"}>{t.overview.refused}</Tag>
                    {data.letters.refused > 0 && (
                      <span className="dimmed small">{t.overview.refusedHelp}</span>
                    )}
                  </dt>
                  <dd>{showNumber(data.letters.refused)}</dd>
                </div>
              </dl>
              <Link
                to={data.letters.refused > 0 ? "/emails?state=refused" : "/emails"}
                className={css.more}
              >
                {t.overview.seeEmails}
              </Link>
            </>
          ) : (
            <Skeleton height={84} />
          )}
        </Panel>
        <Panel title={t.recordings.overview.title} wide>
          {data ? (
            <>
              <dl className={css.numbers}>
                <Fact label={t.recordings.overview.count}>{showNumber(data.recordings.count)}</Fact>
                <Fact label={t.recordings.overview.space}>{showBytes(data.recordings.bytes)}</Fact>
                {data.recordings.waiting > 0 && (
                  <Fact label={t.recordings.overview.waiting} tone="warn">
                    {showNumber(data.recordings.waiting)}
                  </Fact>
                )}
                {data.recordings.erasing > 0 && (
                  <Fact label={t.recordings.overview.erasing} tone="warn">
                    {showNumber(data.recordings.erasing)}
                  </Fact>
                )}
              </dl>
              {data.recorder === "missing" && (
                <p className="dimmed small" role="note">
                  {t.recordings.overview.noRecorder.before}
                  <code>parley doctor</code>
                  {t.recordings.overview.noRecorder.after}
                </p>
              )}
              <Link to="/recordings" className={css.more}>
                {t.recordings.overview.see}
              </Link>
            </>
          ) : (
            <Skeleton height={84} />
          )}
        </Panel>
        <RecentRooms />
      </div>
    </>
  );
};
