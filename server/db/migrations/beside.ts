const MARK = /-beside-(\d{4})$/;

/**
 * Returns whether a version goes on, and starts, on tables that a later version's migration has
 * changed: its name ends with `-beside-` and the number of the oldest migration that a version must
 * know for that (docs/decisions/0074). Any other migration ends the use of the database by versions
 * that do not know it.
 *
 * @param known the names of the version's own migrations
 */
export const runsBeside = (name: string, known: readonly string[]): boolean => {
  const oldest = MARK.exec(name)?.[1];
  return oldest !== undefined && known.some((one) => one.slice(0, 4) >= oldest);
};
