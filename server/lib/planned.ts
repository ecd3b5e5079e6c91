/** A room's `scheduledDateTime` as the tables have times; null where calendars cannot show its year. */
export const plannedAt = (scheduledDateTime: string | null): string | null => {
  const moment = new Date(scheduledDateTime ?? Number.NaN);
  const text = Number.isNaN(moment.getTime()) ? "" : moment.toISOString();
  return /^\d{4}-/.test(text) ? text : null;
};
