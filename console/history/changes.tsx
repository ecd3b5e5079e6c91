import { useState } from "react";
import type { HistoryEntry, HistorySubject } from "../../contract/history/history.ts";
import type { Named } from "../kit/queries.ts";
import { said } from "../kit/said.tsx";
import { t } from "../texts/index.ts";
import { type Fact, factsOf, labelOf, valueInWords } from "./facts.ts";
import css from "./history.module.css";

const texts = t.history;
/** How much a row shows before it is expanded. */
const SHOWN = 3;

interface ChangesProps {
  readonly entry: HistoryEntry;
  readonly named: Named;
}

/** The values of an entry before and after. */
export const EntryChanges = ({ entry, named }: ChangesProps) => {
  const facts = factsOf(entry);
  if (facts.length > 0)
    return <FactList facts={facts} subject={entry.subject.kind} named={named} />;
  if (entry.erased && entry.subject.name === null) {
    return <span className="dimmed">{texts.erased}</span>;
  }
  return entry.before === null ? null : <span className="dimmed">{texts.noChange}</span>;
};

interface FactsProps {
  readonly facts: readonly Fact[];
  readonly subject: HistorySubject;
  readonly named: Named;
}

/** The values before and after, field by field, in the console's words. */
export const FactList = ({ facts, subject, named }: FactsProps) => {
  const [open, setOpen] = useState(false);
  // A creation lists every setting; an edit with few changes is shown in full.
  const shown = open ? facts : facts.slice(0, facts.length > SHOWN + 1 ? SHOWN : facts.length);
  const show = (field: string, value: unknown) => said(valueInWords(field, value, named));
  const sidesOf = ({ field, before, after }: Fact) => {
    if (before === undefined) return <ins>{show(field, after)}</ins>;
    if (after === undefined) return <del>{show(field, before)}</del>;
    return (
      <>
        <del>{show(field, before)}</del>
        <span aria-hidden className={css.became}>
          {" → "}
        </span>
        <span className="unseen"> {texts.became} </span>
        <ins>{show(field, after)}</ins>
      </>
    );
  };
  return (
    <>
      <dl className={css.changes}>
        {shown.map((fact) => (
          <div key={fact.field}>
            <dt>{labelOf(subject, fact.field)}</dt>
            <dd>{sidesOf(fact)}</dd>
          </div>
        ))}
      </dl>
      {(open || shown.length < facts.length) && (
        <button
          type="button"
          className={css.more}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? texts.showLess : texts.showAll(facts.length)}
        </button>
      )}
    </>
  );
};
