import { Skeleton } from "@mantine/core";
import { lazy, Suspense } from "react";
import { ownTimeZone, useUsage } from "../data/usage.ts";
import { Failed } from "../kit/states.tsx";
import { t } from "../texts/index.ts";
import css from "./overview.module.css";
import { OverviewPanel } from "./panel.tsx";

/** A separate file: the plot library is larger than the rest of the page. */
const MeetingsPlot = lazy(async () => ({
  default: (await import("../usage/plots.tsx")).MeetingsPlot,
}));

/** The meetings of the last 30 days as a plot. */
export const Use = () => {
  const { data, error, refetch } = useUsage({ timeZone: ownTimeZone(), by: "day" });
  const waiting = <Skeleton height={330} radius="md" />;
  if (error && !data) {
    return (
      <div className="card">
        <Failed failure={error} retry={() => void refetch()} />
      </div>
    );
  }
  if (data?.total.meetings === 0) {
    return (
      <OverviewPanel title={t.overview.use}>
        <p className={css.sum}>{t.overview.noUse}</p>
      </OverviewPanel>
    );
  }
  return data === undefined ? (
    waiting
  ) : (
    <Suspense fallback={waiting}>
      <MeetingsPlot
        usage={data}
        title={t.overview.use}
        more={{ to: "/usage", label: t.overview.allUse }}
      />
    </Suspense>
  );
};
