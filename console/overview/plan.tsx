import { Skeleton } from "@mantine/core";
import { Meter } from "../kit/meter.tsx";
import { useOrganization } from "../kit/queries.ts";
import { showBytes, showNumber } from "../kit/show.ts";
import { t } from "../texts/index.ts";
import css from "./overview.module.css";
import { OverviewPanel } from "./panel.tsx";

const texts = t.overview;

/** How many rooms, people and recordings there are and may be. */
export const PlanPanel = () => {
  const { data } = useOrganization();
  return (
    <OverviewPanel title={texts.kept}>
      {data === undefined ? (
        <Skeleton height={140} />
      ) : (
        <>
          <div className={css.meters}>
            <Meter label={texts.roomsUsed} used={data.used.rooms} limit={data.limits.rooms} />
            <Meter label={texts.peopleUsed} used={data.used.users} limit={data.limits.users} />
          </div>
          <dl className={css.numbers}>
            <div>
              <dt>{t.recordings.overview.title}</dt>
              <dd>{showNumber(data.recordings.count)}</dd>
            </div>
            <div>
              <dt>{t.recordings.overview.space}</dt>
              <dd>{showBytes(data.recordings.bytes)}</dd>
            </div>
          </dl>
        </>
      )}
    </OverviewPanel>
  );
};
