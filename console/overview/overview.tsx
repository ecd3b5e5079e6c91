import { PageHeader } from "../kit/page-header.tsx";
import { useOrganization } from "../kit/queries.ts";
import { Failed } from "../kit/states.tsx";
import { NewMeeting } from "../rooms/new-meeting.tsx";
import { WhatIsNext } from "../schedule/coming.tsx";
import { ScheduleButton } from "../schedule/scheduling.tsx";
import { t } from "../texts/index.ts";
import { Attention } from "./attention.tsx";
import css from "./overview.module.css";
import { PlanPanel } from "./plan.tsx";
import { RecentRooms } from "./recent.tsx";
import { RunningMeetings } from "./running.tsx";
import { Use } from "./use.tsx";

/** The present of the organization, the next dates, and the problems that need its administrators. */
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
      <div className={css.grid}>
        <div className={css.column}>
          <RunningMeetings />
          <WhatIsNext />
          <Use />
          <RecentRooms />
        </div>
        <div className={css.column}>
          <Attention />
          <PlanPanel />
        </div>
      </div>
    </>
  );
};
