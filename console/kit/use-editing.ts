import { useEffect, useRef, useState } from "react";
import { ParleyError } from "./client.ts";
import { changesOf, type Labels, useForm } from "./form.ts";
import { useOnce } from "./use-once.ts";

/** The edited object, and the tag of its loaded version. */
export interface Version<Values> {
  readonly values: Values;
  readonly etag: string;
}

interface Editing<Values extends object> {
  readonly loaded: Version<Values>;
  readonly labels: Labels;
  /** Loads the current version. */
  readonly load: () => Promise<Version<Values>>;
  /** Saves the changed fields, if the version with this tag is still the current one. */
  readonly save: (
    values: Values,
    changed: readonly (keyof Values)[],
    etag: string,
  ) => Promise<Version<Values>>;
  /** The fields that a failure concerns, if it does not name them itself. */
  readonly atField?: (failure: unknown) => Readonly<Record<string, string>>;
}

/** How often a save is retried while others change something outside the form. */
const TRIES = 5;

const isOutdated = (failure: unknown): boolean =>
  failure instanceof ParleyError && failure.status === 412;

/**
 * A form for something that others may edit at the same time. It saves with the tag of the loaded
 * version; if somebody else saved first, `conflict` has the current version until the person
 * chooses.
 */
export const useEditing = <Values extends object>({
  loaded,
  labels,
  load,
  save,
  atField = () => ({}),
}: Editing<Values>) => {
  const form = useForm(loaded.values, labels);
  const etag = useRef(loaded.etag);
  const [busy, setBusy] = useState(false);
  const [conflict, setConflict] = useState<Version<Values>>();

  const accept = (version: Version<Values>, sent: Values): void => {
    etag.current = version.etag;
    setConflict(undefined);
    form.accept(version.values, sent);
  };

  // A newer version arrived in the background: a form without changes shows it.
  const latest = useRef({ accept, form });
  latest.current = { accept, form };
  useEffect(() => {
    const { accept, form } = latest.current;
    if (loaded.etag !== etag.current && !form.dirty) accept(loaded, form.base);
  }, [loaded]);

  /** Saves `values`, which were edited from `base`. */
  const send = async (values: Values, base: Version<Values>, tries = TRIES): Promise<void> => {
    const changed = changesOf(values, base.values);
    try {
      accept(changed.length === 0 ? base : await save(values, changed, base.etag), values);
    } catch (failure) {
      if (!isOutdated(failure)) throw failure;
      const current = await load();
      // For example, a person entered the room: nothing in the form differs.
      const isSame = changesOf(current.values, base.values).length === 0;
      if (isSame && tries === 1) throw failure;
      if (isSame) await send(values, current, tries - 1);
      else setConflict(current);
    }
  };

  const run = async (values: Values, base: Version<Values>): Promise<void> => {
    setBusy(true);
    try {
      await send(values, base);
    } catch (failure) {
      setConflict(undefined);
      form.fail(failure, atField(failure));
    } finally {
      setBusy(false);
    }
  };

  const submit = useOnce(async () => {
    if (form.dirty) await run(form.values, { values: form.base, etag: etag.current });
  });

  /** Continues after a conflict with the chosen values. */
  const resolve = async (values: Values): Promise<void> => {
    if (conflict === undefined) return;
    etag.current = conflict.etag;
    form.rebase(values, conflict.values);
    setConflict(undefined);
    await run(values, conflict);
  };

  return { form, busy, submit, conflict, resolve, dismiss: () => setConflict(undefined) };
};
