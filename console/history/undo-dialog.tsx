import { type ReactNode, useEffect, useRef, useState } from "react";
import type { HistorySubject } from "../../contract/history/history.ts";
import { sayFailure } from "../kit/client.ts";
import { Confirm } from "../kit/confirm.tsx";
import { takeBack, type UndoProgress } from "../kit/history.ts";
import { Progress } from "../kit/meter.tsx";
import { notify } from "../kit/notices.tsx";
import { type Named, useNamed } from "../kit/queries.ts";
import { said } from "../kit/said.tsx";
import { useChange } from "../kit/use-change.ts";
import { t } from "../texts/index.ts";
import { type ChangedField, fieldsChangedSince, labelOf, valueInWords } from "./facts.ts";
import css from "./history.module.css";

const texts = t.history;

interface UndoDialogProps {
  /** The number of the entry that is taken back. */
  readonly number: number;
  /** The subject whose fields it changes. */
  readonly subject: HistorySubject;
  readonly named?: Named;
  /** The change itself. */
  readonly children: ReactNode;
  readonly onClose: () => void;
}

interface ChangedSinceProps extends Pick<UndoDialogProps, "subject" | "named"> {
  readonly changed: readonly ChangedField[];
}

/** The later changes; with names, if the change is about several rooms or people. */
const ChangedSince = ({ changed, subject, named }: ChangedSinceProps) => {
  const people = useNamed(changed.flatMap(({ of }) => of ?? [])).data;
  return (
    <>
      {texts.changedSince}
      <ul className={css.since}>
        {changed.map(({ of, field, value }) => {
          const now = texts.isNow(labelOf(subject, field), valueInWords(field, value, named));
          return (
            <li key={`${of} ${field}`}>
              {said(of === undefined ? now : texts.isNowOf(people?.get(of)?.name ?? of, now))}
            </li>
          );
        })}
      </ul>
    </>
  );
};

/** Aborts when the dialog is closed: the rest is undone on the next request. */
const useAbort = () => {
  const abort = useRef<AbortController>(undefined);
  useEffect(() => {
    abort.current = new AbortController();
    return () => abort.current?.abort();
  }, []);
  return () => abort.current?.signal ?? AbortSignal.abort();
};

/**
 * Asks whether to undo a change, and shows the progress if that takes long; if it is impossible,
 * shows what changed since.
 */
export const UndoDialog = ({ number, subject, named, children, onClose }: UndoDialogProps) => {
  const signal = useAbort();
  const [undoing, setUndoing] = useState<UndoProgress>();
  const undo = useChange((wanted: number) => takeBack(wanted, signal(), setUndoing));
  const explain = (failure: unknown) => {
    const changed = fieldsChangedSince(failure);
    if (changed.length === 0) return sayFailure(failure);
    return <ChangedSince changed={changed} subject={subject} named={named} />;
  };
  return (
    <Confirm
      title={texts.undoTitle}
      confirm={texts.undo}
      explain={explain}
      onClose={onClose}
      onConfirm={async () => {
        const stayed = await undo.mutateAsync(number).finally(() => setUndoing(undefined));
        if (stayed === 0) notify({ text: texts.undone });
        else notify({ text: texts.undoneBut(stayed), kind: "failed" });
      }}
    >
      {children}
      {undoing && (
        <Progress
          done={undoing.done}
          of={undoing.entries}
          text={texts[undoing.state === "checking" ? "checking" : "takingBack"](
            undoing.done,
            undoing.entries,
          )}
        />
      )}
    </Confirm>
  );
};
