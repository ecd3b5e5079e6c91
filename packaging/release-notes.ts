/** The changelog's section of a version, with its heading: `## 0.1.0 (2026-11-28)`. */
const sectionOf = (changelog: string, version: string): string | undefined =>
  changelog
    .split(/^(?=## )/m)
    .find((section) => /^## (\S+) \(\d{4}-\d{2}-\d{2}\)\n/.exec(section)?.[1] === version);

/** The notes of a release. */
export const notesOf = (changelog: string, version: string): string =>
  (sectionOf(changelog, version) ?? "").replace(/^## .*\n+/, "");

/**
 * Why a version cannot be released; undefined if it can.
 *
 * @param tag the tag of the release, where there is one already
 */
export const releaseProblem = (
  changelog: string,
  version: string,
  tag?: string,
): string | undefined => {
  if (tag !== undefined && tag !== `v${version}`) {
    return `The tag is ${tag}, and package.json says ${version}.`;
  }
  return sectionOf(changelog, version) === undefined
    ? `CHANGELOG.md has no heading "## ${version} (DATE)": give what is under "Unreleased" its version and its date.`
    : undefined;
};
