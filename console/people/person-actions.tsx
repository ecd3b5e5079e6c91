import { type ReactNode, useState } from "react";
import { useBinDays, useRestore } from "../data/bin.ts";
import { ParleyError, parley, sayFailure } from "../data/client.ts";
import { useHandOver } from "../data/hand-over.ts";
import { useChange } from "../data/use-change.ts";
import { notify } from "../parts/notices.tsx";
import { t } from "../texts/index.ts";
import { BulkConfirm } from "./bulk-confirm.tsx";
import { CredentialsDialog } from "./credentials-dialog.tsx";
import { ResetConfirm } from "./reset-confirm.tsx";

/** As much of a person as an action names. */
export interface Someone {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

type Question =
  | { readonly kind: "revoke" | "delete"; readonly people: readonly Someone[] }
  | { readonly kind: "reset"; readonly person: Someone }
  | { readonly kind: "credentials"; readonly person: Someone; readonly password: string };

interface Options {
  /** Called when people are revoked or deleted: a selection of them is over. */
  readonly onGone?: () => void;
  /** Leaves a page that shows who is deleted. */
  readonly onDeleted?: () => Promise<void> | void;
}

const sayFailed = (failure: unknown): void => notify({ text: sayFailure(failure), kind: "failed" });

/** Everything that can be done with an account, each with what it asks, says and takes back. */
export const usePersonActions = ({ onGone, onDeleted }: Options = {}) => {
  const [question, setQuestion] = useState<Question>();
  const close = () => setQuestion(undefined);
  const state = useChange(parley.suspendRestoreUser);
  const days = useBinDays();
  const unbin = useRestore();
  const handOver = useHandOver();
  const back = useChange((people: readonly Someone[]) =>
    Promise.allSettled(people.map(({ id }) => parley.reactivateUser({ userId: id }))),
  );
  const bulk = useChange(
    async ({
      kind,
      people,
    }: {
      readonly kind: "revoke" | "delete";
      readonly people: readonly Someone[];
    }) => {
      if (kind === "revoke") await parley.revokeUsers(people.map(({ id }) => ({ userId: id })));
      else {
        const ids = people.map(({ id }) => id);
        await (typeof days === "number"
          ? parley.binUsers({ userIds: ids })
          : parley.deleteUsers(ids));
        await onDeleted?.();
      }
    },
  );

  const restore = ({ id, name }: Someone): void =>
    state.mutate(
      { userId: id, action: "restore" },
      { onSuccess: () => notify({ text: t.people.restored(name) }), onError: sayFailed },
    );

  const suspend = (person: Someone): void =>
    state.mutate(
      { userId: person.id, action: "suspend" },
      {
        onSuccess: () =>
          notify({ text: t.people.suspended(person.name), undo: () => undoSuspension(person) }),
        onError: sayFailed,
      },
    );

  // A notice outlives the page that it came from, whose own `mutate` callbacks are then silent.
  const undoSuspension = async ({ id, name }: Someone): Promise<void> => {
    try {
      await state.mutateAsync({ userId: id, action: "restore" });
      notify({ text: t.people.restored(name) });
    } catch (failure) {
      sayFailed(failure);
    }
  };

  const reactivate = async (people: readonly Someone[]): Promise<void> => {
    const results = await back.mutateAsync(people);
    const refused = results.find((result) => result.status === "rejected");
    const done = results.filter((result) => result.status === "fulfilled").length;
    if (refused === undefined) notify({ text: t.people.reactivated(done, people[0]?.name ?? "") });
    else {
      const partly = done > 0 ? ` ${t.people.reactivatedSome(done, people.length)}` : "";
      notify({ text: `${sayFailure(refused.reason)}${partly}`, kind: "failed" });
    }
  };

  const confirmBulk = async (
    kind: "revoke" | "delete",
    people: readonly Someone[],
    heirs: readonly string[],
  ): Promise<void> => {
    const handOn = async () => {
      const ids = people.map(({ id }) => id);
      if (heirs.length > 0) await handOver(ids, heirs);
    };
    // Who is deleted owns nothing any more.
    if (kind === "delete") await handOn();
    await bulk.mutateAsync({ kind, people });
    if (kind === "revoke") await handOn().catch(sayFailed);
    const name = people[0]?.name ?? "";
    if (kind === "delete" && typeof days === "number") {
      const ids = people.map(({ id }) => id);
      notify({ text: t.bin.binned(ids.length, name), undo: () => unbin(ids, name) });
    } else if (kind === "delete") notify({ text: t.people.deletedDone(people.length, name) });
    else
      notify({ text: t.people.revokedDone(people.length, name), undo: () => reactivate(people) });
    onGone?.();
  };

  const render = (): ReactNode => {
    switch (question?.kind) {
      case "revoke":
      case "delete":
        return (
          <BulkConfirm
            kind={question.kind}
            people={question.people}
            onConfirm={(heirs) => confirmBulk(question.kind, question.people, heirs)}
            onClose={close}
          />
        );
      case "reset":
        return (
          <ResetConfirm
            person={question.person}
            onDone={(password) =>
              setQuestion({ kind: "credentials", person: question.person, password })
            }
            onClose={close}
          />
        );
      case "credentials":
        return (
          <CredentialsDialog
            title={t.people.credentials.reset(question.person.name)}
            email={question.person.email}
            password={question.password}
            onClose={close}
          />
        );
      default:
        return null;
    }
  };

  return {
    suspend,
    restore,
    reactivate: (person: Someone) => void reactivate([person]).catch(sayFailed),
    revoke: (people: readonly Someone[]) => setQuestion({ kind: "revoke", people }),
    remove: (people: readonly Someone[]) => setQuestion({ kind: "delete", people }),
    reset: (person: Someone) => setQuestion({ kind: "reset", person }),
    dialogs: render(),
  };
};

/** Whether a failure is the service's "no" to some entries of a list. */
export const isRefusal = (failure: unknown): failure is ParleyError =>
  failure instanceof ParleyError;
