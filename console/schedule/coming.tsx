import { Button, Skeleton, Title } from "@mantine/core";
import { IconVideo } from "@tabler/icons-react";
import { useState } from "react";
import type { Coming } from "../../contract/schedule/schedule.ts";
import { useComing } from "../data/schedule.ts";
import { useMay } from "../kit/queries.ts";
import { dayOf, showMoment, showTime, showWeekday } from "../kit/show.ts";
import { Failed } from "../kit/states.tsx";
import { doorOf } from "../meetings/enter-room.tsx";
import { t } from "../texts/index.ts";
import css from "./schedule.module.css";

const texts = t.schedule.coming;

/** How many dates are shown first. */
const FIRST = 3;
const DAY_MS = 86_400_000;

/** When a date is, as people say it. */
const sayWhen = ({ startsAt, endsAt }: Coming): string => {
  const now = Date.now();
  if (Date.parse(startsAt) <= now) return texts.now(showTime(endsAt));
  const day = dayOf(startsAt);
  if (day === dayOf()) return texts.today(showTime(startsAt));
  if (day === dayOf(new Date(now + DAY_MS).toISOString()))
    return texts.tomorrow(showTime(startsAt));
  return day.slice(0, 4) === dayOf().slice(0, 4) ? showWeekday(startsAt) : showMoment(startsAt);
};

const ComingLine = ({ date }: { readonly date: Coming }) => {
  const { roomId, roomName, startsAt, repeats, isHost } = date;
  return (
    <li>
      <time dateTime={startsAt}>{sayWhen(date)}</time>
      <span className={css.meeting}>
        <bdi>{roomName}</bdi>
        <span className="dimmed small">
          {[isHost ? texts.host : texts.invited, ...(repeats ? [texts.repeats] : [])].join(" · ")}
        </span>
      </span>
      <Button
        component="a"
        size="compact-sm"
        variant={Date.parse(startsAt) <= Date.now() ? "filled" : "default"}
        href={doorOf(roomId)}
        target="_blank"
        rel="noreferrer"
        leftSection={<IconVideo size={15} />}
        aria-label={`${isHost ? texts.start(roomName) : texts.open(roomName)} (${t.nav.newTab})`}
      >
        {isHost ? texts.startShort : texts.openShort}
      </Button>
    </li>
  );
};

const Dates = ({ dates }: { readonly dates: readonly Coming[] }) => {
  const [all, setAll] = useState(false);
  const may = useMay();
  const shown = all ? dates : dates.slice(0, FIRST);
  if (dates.length === 0) {
    return (
      <p className={`dimmed small ${css.line}`}>
        {may?.createRooms ? texts.none : texts.noneInvited}
      </p>
    );
  }
  return (
    <>
      <ul className={css.coming}>
        {shown.map((date) => (
          <ComingLine key={`${date.roomId} ${date.startsAt}`} date={date} />
        ))}
      </ul>
      {shown.length < dates.length && (
        <Button variant="subtle" size="compact-sm" onClick={() => setAll(true)}>
          {texts.more(dates.length - shown.length)}
        </Button>
      )}
    </>
  );
};

/** The next dates of the signed-in person: of rooms that they host or are invited to. */
export const WhatIsNext = () => {
  const { data, error, refetch } = useComing();
  return (
    <section className={`card ${css.panel}`} aria-labelledby="what-is-next">
      <Title order={2} size="h5" id="what-is-next" mb="xs">
        {texts.title}
      </Title>
      {error && !data ? (
        <Failed failure={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={60} />
      ) : (
        <Dates dates={data} />
      )}
    </section>
  );
};
