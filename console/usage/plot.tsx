import { Link } from "react-router";
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import type { UsagePeriod } from "../../contract/organization/usage.ts";
import type { Usage } from "../data/usage.ts";
import { showMonth, showShortDay } from "../kit/show.ts";
import { t } from "../texts/index.ts";
import css from "./usage.module.css";

const texts = t.usage;

/** A part of a plot's bars, and a column of its table. */
export interface PlotSeries {
  readonly label: string;
  readonly countOf: (period: UsagePeriod) => number;
}

interface PlotProps {
  readonly title: string;
  readonly help: string;
  /** The total in one number. */
  readonly total: string;
  /** The drawn parts, the lowest first. */
  readonly series: readonly PlotSeries[];
  readonly show: (value: number) => string;
  readonly usage: Usage;
  /** The page that shows more. */
  readonly more?: { readonly to: string; readonly label: string } | undefined;
}

const HEIGHT = 170;

/** A period's day without a time zone: the person's zone must not move it. */
const noon = (day: string): string => `${day}T12:00:00`;
const showDay = (by: Usage["by"], day: string): string =>
  (by === "month" ? showMonth : showShortDay)(noon(day));

/** A period's values, at the pointer or by the arrow keys. */
const Values = ({
  period,
  series,
  show,
  by,
}: Pick<PlotProps, "series" | "show"> & {
  readonly period: UsagePeriod | undefined;
  readonly by: Usage["by"];
}) =>
  period === undefined ? null : (
    <div className={css.values} role="status" aria-live="assertive">
      <div>{showDay(by, period.day)}</div>
      {series.map(({ label, countOf }) => (
        <div key={label}>
          {label}: <b>{show(countOf(period))}</b>
        </div>
      ))}
    </div>
  );

/** One count of the usage, period by period, as bars and as a table. */
export const Plot = ({ title, help, total, series, show, usage, more }: PlotProps) => {
  const { by, periods, from, to } = usage;
  const isEmpty = periods.every((period) => series.every(({ countOf }) => countOf(period) === 0));
  const described = texts.plotOf(title, showShortDay(noon(from)), showShortDay(noon(to)));
  return (
    <section className={`card ${css.plot}`} aria-label={title}>
      <div className={css.heading}>
        <h2 className={css.title}>{title}</h2>
        {more && <Link to={more.to}>{more.label}</Link>}
      </div>
      <p className={css.total}>{total}</p>
      <p className="dimmed small">{help}</p>
      {series.length > 1 && (
        <ul className={css.legend} aria-hidden>
          {series.map(({ label }) => (
            <li key={label}>
              <span className={css.mark} />
              {label}
            </li>
          ))}
        </ul>
      )}
      {isEmpty ? (
        <p className={`dimmed ${css.nothing}`}>{texts.nothing}</p>
      ) : (
        <>
          <div className={css.bars}>
            <ResponsiveContainer width="100%" height={HEIGHT}>
              <BarChart data={periods} accessibilityLayer title={described} desc={texts.keys}>
                <CartesianGrid vertical={false} stroke="var(--mantine-color-default-border)" />
                <XAxis
                  dataKey="day"
                  tickFormatter={(day: string) => showDay(by, day)}
                  minTickGap={28}
                  tickLine={false}
                  stroke="var(--mantine-color-default-border)"
                  tick={{ fill: "var(--mantine-color-dimmed)", fontSize: 12 }}
                />
                <YAxis
                  width="auto"
                  allowDecimals={false}
                  tickFormatter={show}
                  axisLine={false}
                  tickLine={false}
                  tick={{ fill: "var(--mantine-color-dimmed)", fontSize: 12 }}
                />
                <Tooltip
                  isAnimationActive={false}
                  cursor={{ fill: "var(--parley-hover)" }}
                  content={({ payload }) => (
                    <Values period={payload[0]?.payload} {...{ series, show, by }} />
                  )}
                />
                {series.map(({ label, countOf }, n) => (
                  <Bar
                    key={label}
                    name={label}
                    dataKey={countOf}
                    stackId="all"
                    isAnimationActive={false}
                    maxBarSize={28}
                    fill={`var(--parley-plot-${n})`}
                  />
                ))}
              </BarChart>
            </ResponsiveContainer>
          </div>
          <details className={css.table}>
            <summary>
              {texts.table} <span className="unseen">{title}</span>
            </summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
            <section className={css.scroll} aria-label={described} tabIndex={0}>
              <table>
                <thead>
                  <tr>
                    <th scope="col">{texts.when[by]}</th>
                    {series.map(({ label }) => (
                      <th key={label} scope="col">
                        {label}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {periods.map((period) => (
                    <tr key={period.day}>
                      <th scope="row">{showShortDay(noon(period.day))}</th>
                      {series.map(({ label, countOf }) => (
                        <td key={label}>{show(countOf(period))}</td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
          </details>
        </>
      )}
    </section>
  );
};
