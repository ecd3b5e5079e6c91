// The thread of known-names.ts: names of organizations, and the searches among them.
import { answerQuestions } from "../thread.ts";
import type { NamesAnswer, NamesQuestion } from "./known-names.ts";
import { type Names, newNames, type Renaming } from "./names.ts";

const organizations = new Map<string, Names>();

/** The names of an organization after changes. If one fails, they are not known any more. */
const changedBy = (organizationId: string, renamings: readonly Renaming[]): Names => {
  const names = organizations.get(organizationId);
  if (!names) throw new Error(`The names of the organization ${organizationId} are not known.`);
  organizations.delete(organizationId);
  for (const renaming of renamings) names.change(renaming);
  organizations.set(organizationId, names);
  return names;
};

const texts = (json: string): string[] => JSON.parse(json);

answerQuestions<NamesQuestion, NamesAnswer>((question) => {
  const { organizationId } = question;
  if (question.do === "forget") {
    organizations.delete(organizationId);
    return undefined;
  }
  if (question.do === "add" && question.isFirst) organizations.set(organizationId, newNames());
  const names = changedBy(organizationId, question.renamings);
  if (question.do === "find") return names.find(question.asked);
  const ids = texts(question.ids);
  const added = texts(question.keys).map((key, at) => ({ key, id: ids[at] ?? "" }));
  names.append(added);
  return added.at(-1);
});
