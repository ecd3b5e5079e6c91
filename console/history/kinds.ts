import { type HistoryKind, historyKinds } from "../../contract/history/history.ts";
import { t } from "../texts/index.ts";

type Group = keyof typeof t.history.groups;

/** The prefixes of the kinds in each group. */
const groups: Readonly<Record<Group, RegExp>> = {
  room: /^room|^handOver|^personBanned|^banLifted/,
  user: /^user|^password/,
  signIn: /^sign/,
  recording: /^recording|^transcript/,
  accessKey: /^accessKey/,
  webhook: /^webhook/,
  provider: /^provider|^account/,
  organization: /^organization|^imported|^takenBack/,
};

const isGroup = (word: string): word is Group => Object.hasOwn(groups, word);
const inGroup = (group: Group): HistoryKind[] =>
  historyKinds.filter((kind) => groups[group].test(kind));

/** The kinds that a choice selects: a whole group, or one; none for everything. */
export const kindsOf = (chosen: string): readonly string[] => {
  if (isGroup(chosen)) return inGroup(chosen);
  return historyKinds.filter((kind) => kind === chosen);
};

/** The choices of the filter by kind. */
export const kindChoices = [
  { value: "", label: t.history.allKinds },
  ...(Object.keys(t.history.groups) as Group[]).map((group) => ({
    group: t.history.groups[group],
    items: [
      { value: group, label: t.history.allOf[group] },
      ...inGroup(group).map((kind) => ({ value: kind, label: t.history.kinds[kind] })),
    ],
  })),
];
