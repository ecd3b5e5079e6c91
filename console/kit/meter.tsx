import { t } from "../texts/index.ts";
import css from "./meter.module.css";
import { showNumber } from "./show.ts";

const NEAR = 0.9;

interface MeterProps {
  readonly label: string;
  readonly used: number;
  /** null: no limit. */
  readonly limit: number | null;
}

/** How much of the plan is used, in words too when near the limit. */
export const Meter = ({ label, used, limit }: MeterProps) => {
  if (limit === null) {
    return (
      <div className={css.meter}>
        <p className={css.figure}>
          <span>{label}</span>
          <b>{showNumber(used)}</b>
        </p>
      </div>
    );
  }
  const share = limit === 0 ? 1 : Math.min(used / limit, 1);
  const left = Math.max(limit - used, 0);
  const level = left === 0 ? "full" : share >= NEAR ? "near" : "calm";
  return (
    <div className={css.meter} data-level={level}>
      <p className={css.figure}>
        <span>{label}</span>
        <span>
          <b>{showNumber(used)}</b> <span className="dimmed">{t.overview.of(limit)}</span>
        </span>
      </p>
      <meter
        className="unseen"
        aria-label={label}
        min={0}
        max={limit}
        value={Math.min(used, limit)}
      />
      <div className={css.track} aria-hidden>
        <div className={css.fill} style={{ width: `${share * 100}%` }} />
      </div>
      <p className={`small ${level === "calm" ? "dimmed" : css.warning}`}>
        {level === "full"
          ? t.overview.full
          : level === "near"
            ? t.overview.near(left)
            : t.overview.left(left)}
      </p>
    </div>
  );
};

interface ProgressProps {
  readonly done: number;
  readonly of: number;
  readonly text: string;
}

/** The progress of work in pieces. */
export const Progress = ({ done, of, text }: ProgressProps) => (
  <div className={css.progress}>
    <progress value={done} max={of} aria-label={text} />
    <span>{text}</span>
  </div>
);
