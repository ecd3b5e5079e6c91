import type { ComponentProps } from "react";
import type { Usage } from "../data/usage.ts";
import { showBytes, showNumber } from "../kit/show.ts";
import { t } from "../texts/index.ts";
import { Plot } from "./plot.tsx";
import css from "./usage.module.css";

const texts = t.usage;
const { plots } = texts;

/** The values of a plot. */
const simple = ["people", "minutes", "peak", "refused", "recordings", "bytes"] as const;

interface MeetingsPlotProps extends Pick<ComponentProps<typeof Plot>, "usage" | "more"> {
  readonly title?: string;
}

/** The long and the short meetings. */
export const MeetingsPlot = ({ usage, title = plots.meetings.title, more }: MeetingsPlotProps) => (
  <Plot
    title={title}
    more={more}
    help={plots.meetings.help(showNumber(usage.total.longMeetings))}
    total={showNumber(usage.total.meetings)}
    show={showNumber}
    usage={usage}
    series={[
      { label: texts.long, countOf: ({ longMeetings }) => longMeetings },
      { label: texts.short, countOf: ({ meetings, longMeetings }) => meetings - longMeetings },
    ]}
  />
);

/** All counts of the usage. */
export const Plots = ({ usage }: { readonly usage: Usage }) => (
  <div className={css.plots}>
    <MeetingsPlot usage={usage} />
    {simple.map((count) => {
      const show = count === "bytes" ? showBytes : showNumber;
      const { title, help } = plots[count];
      return (
        <Plot
          key={count}
          title={title}
          help={help}
          total={show(usage.total[count])}
          show={show}
          usage={usage}
          series={[{ label: title, countOf: (period) => period[count] }]}
        />
      );
    })}
  </div>
);
