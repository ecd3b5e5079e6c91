import { showDay, showMoment } from "./show.ts";

/** The day of a moment in a table; pointing at it shows the time too. */
export const Day = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={showMoment(at)}>
    {showDay(at)}
  </time>
);
