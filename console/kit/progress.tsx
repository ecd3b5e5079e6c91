import css from "./progress.module.css";

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
