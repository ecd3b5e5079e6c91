import type { HistoryEntry } from "../../contract/history.ts";
import { parley, sayFailure } from "../data/client.ts";
import { useNamed } from "../data/queries.ts";
import { useChange } from "../data/use-change.ts";
import { Confirm } from "../parts/confirm.tsx";
import { notify } from "../parts/notices.tsx";
import css from "../styles/history.module.css";
import { t } from "../texts/index.ts";
import { Changes } from "./changes.tsx";
import { type ChangedField, changedSince, labelOf, wordsOf } from "./facts.ts";

const texts = t.history;

interface UndoDialogProps {
  readonly entry: HistoryEntry;
  readonly named: ReturnType<typeof useNamed>["data"];
  readonly onClose: () => void;
}

interface ChangedSinceProps extends Pick<UndoDialogProps, "entry" | "named"> {
  readonly changed: readonly ChangedField[];
}

/** What changed since, of a change of several each with its name. */
const ChangedSince = ({ changed, entry, named }: ChangedSinceProps) => {
  const people = useNamed(changed.flatMap(({ of }) => of ?? [])).data;
  return (
    <>
      {texts.changedSince}
      <ul className={css.since}>
        {changed.map(({ of, field, value }) => {
          const now = texts.isNow(labelOf(entry.subject.kind, field), wordsOf(field, value, named));
          return (
            <li key={`${of} ${field}`}>
              {of === undefined ? now : texts.isNowOf(people?.get(of)?.name ?? of, now)}
            </li>
          );
        })}
      </ul>
    </>
  );
};

/** Asks whether a change is taken back; where it cannot be, says what changed since. */
export const UndoDialog = ({ entry, named, onClose }: UndoDialogProps) => {
  const undo = useChange(parley.undoChange);
  const explain = (failure: unknown) => {
    const changed = changedSince(failure);
    if (changed.length === 0) return sayFailure(failure);
    return <ChangedSince changed={changed} entry={entry} named={named} />;
  };
  return (
    <Confirm
      title={texts.undoTitle}
      confirm={texts.undo}
      explain={explain}
      onClose={onClose}
      onConfirm={async () => {
        await undo.mutateAsync({ number: entry.number });
        notify({ text: texts.undone });
      }}
    >
      <p>{texts.undoHelp}</p>
      {/* As it will be: what was after stands first. */}
      <Changes entry={{ ...entry, before: entry.after, after: entry.before }} named={named} />
    </Confirm>
  );
};
