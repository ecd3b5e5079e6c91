import { type ReactNode, useState } from "react";
import { useBinDays, useRestore } from "../data/bin.ts";
import { useHandOver } from "../data/hand-over.ts";
import { parley, sayFailure } from "../kit/client.ts";
import { Confirm } from "../kit/confirm.tsx";
import { notify } from "../kit/notices.tsx";
import { useChange } from "../kit/use-change.ts";
import { t } from "../texts/index.ts";
import { BulkConfirm, type BulkKind } from "./bulk-confirm.tsx";
import { CredentialsDialog } from "./credentials-dialog.tsx";
import type { Someone } from "./heirs-field.tsx";
import { ResetConfirm } from "./reset-confirm.tsx";
import { RoleDialog } from "./role-dialog.tsx";

type Question =
  | { readonly kind: BulkKind; readonly people: readonly Someone[] }
  | { readonly kind: "role"; readonly people: readonly Someone[] }
  | { readonly kind: "reset"; readonly person: Someone }
  | { readonly kind: "factors"; readonly person: Someone }
  | { readonly kind: "links"; readonly person: Someone }
  | { readonly kind: "credentials"; readonly person: Someone; readonly password: string };

interface Options {
  /** Called after several people were changed: they are no longer selected. */
  readonly onDone?: (people: readonly Someone[]) => void;
  /** Leaves a page that shows a deleted person. */
  readonly onDeleted?: () => Promise<void> | void;
}

const sayFailed = (failure: unknown): void => notify({ text: sayFailure(failure), kind: "failed" });

/** Everything that can be done with an account: each action with its question, its notice and its undo. */
export const usePersonActions = ({ onDone, onDeleted }: Options = {}) => {
  const [question, setQuestion] = useState<Question>();
  /** True if rooms were handed over since the question was opened. */
  const [moved, setMoved] = useState(false);
  const close = () => setQuestion(undefined);
  const askBulk = (kind: BulkKind, people: readonly Someone[]): void => {
    setMoved(false);
    setQuestion({ kind, people });
  };
  const state = useChange(parley.suspendRestoreUser);
  const states = useChange(parley.suspendRestoreUsers);
  const factors = useChange(parley.resetFactors);
  const links = useChange(parley.unlinkUser);
  const reset = useChange(parley.resetPassword);
  const days = useBinDays();
  const unbin = useRestore();
  const handOver = useHandOver(() => setMoved(true));
  const back = useChange(parley.reactivateUsers);
  const bulk = useChange(
    async ({ kind, people }: { readonly kind: BulkKind; readonly people: readonly Someone[] }) => {
      const userIds = people.map(({ id }) => id);
      if (kind === "suspend") await parley.suspendRestoreUsers({ userIds, action: "suspend" });
      else if (kind === "revoke") await parley.revokeUsers(userIds.map((userId) => ({ userId })));
      else {
        await (typeof days === "number"
          ? parley.binUsers({ userIds })
          : parley.deleteUsers(userIds));
        await onDeleted?.();
      }
    },
  );

  const suspend = (person: Someone): void =>
    state.mutate(
      { userId: person.id, action: "suspend" },
      {
        onSuccess: () =>
          notify({ text: t.people.suspended(person.name), undo: () => restoreAll([person]) }),
        onError: sayFailed,
      },
    );

  // A notice outlives its page, whose `mutate` callbacks are no longer called.
  const reactivate = async (people: readonly Someone[]): Promise<void> => {
    try {
      await back.mutateAsync({ userIds: people.map(({ id }) => id) });
      notify({ text: t.people.reactivated(people.length, people[0]?.name ?? "") });
      onDone?.(people);
    } catch (failure) {
      sayFailed(failure);
    }
  };

  const restoreAll = async (people: readonly Someone[]): Promise<void> => {
    try {
      await states.mutateAsync({ userIds: people.map(({ id }) => id), action: "restore" });
      notify({ text: t.people.restored(people.length, people[0]?.name ?? "") });
      onDone?.(people);
    } catch (failure) {
      sayFailed(failure);
    }
  };

  /** Ends every way into an account, and shows its new password. */
  const endWays = async (person: Someone): Promise<void> => {
    const userId = person.id;
    try {
      const { ways } = await parley.fetchUserWays({ userId });
      const hasFactor = ways.passkeys.length > 0 || ways.authenticatorSince !== null;
      if (hasFactor) await factors.mutateAsync({ userId });
      if (ways.providers.length > 0) await links.mutateAsync({ userId });
      const { password } = await reset.mutateAsync({ userId, mustChoosePassword: true });
      setQuestion({ kind: "credentials", person, password });
    } catch (failure) {
      sayFailed(failure);
    }
  };

  const confirmBulk = async (
    kind: BulkKind,
    people: readonly Someone[],
    heirs: readonly string[],
  ): Promise<void> => {
    const handOn = async () => {
      const ids = people.map(({ id }) => id);
      if (heirs.length > 0) await handOver(ids, heirs);
    };
    // A deleted person no longer owns anything.
    if (kind === "delete") await handOn();
    await bulk.mutateAsync({ kind, people });
    if (kind === "revoke") await handOn().catch(sayFailed);
    const count = people.length;
    const name = people[0]?.name ?? "";
    if (kind === "delete" && typeof days === "number") {
      const ids = people.map(({ id }) => id);
      notify({ text: t.bin.binned(count, name), undo: () => unbin(ids, name) });
    } else if (kind === "delete") notify({ text: t.people.deletedDone(count, name) });
    else if (kind === "revoke")
      notify({ text: t.people.revokedDone(count, name), undo: () => reactivate(people) });
    else notify({ text: t.people.suspendedDone(count, name), undo: () => restoreAll(people) });
    onDone?.(people);
  };

  const render = (): ReactNode => {
    switch (question?.kind) {
      case "role":
        return (
          <RoleDialog
            people={question.people}
            onDone={() => onDone?.(question.people)}
            onClose={close}
          />
        );
      case "suspend":
      case "revoke":
      case "delete":
        return (
          <BulkConfirm
            kind={question.kind}
            people={question.people}
            moved={moved}
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
      case "factors":
        return (
          <Confirm
            title={t.people.resetFactorsTitle(question.person.name)}
            confirm={t.people.resetFactors}
            onConfirm={async () => {
              await factors.mutateAsync({ userId: question.person.id });
              notify({ text: t.people.factorsReset(question.person.name) });
            }}
            onClose={close}
          >
            {t.people.resetFactorsHelp}
          </Confirm>
        );
      case "links":
        return (
          <Confirm
            title={t.providers.unlink}
            confirm={t.providers.unlink}
            onConfirm={async () => {
              const { unlinked } = await links.mutateAsync({ userId: question.person.id });
              notify({ text: unlinked > 0 ? t.providers.unlinked : t.providers.notLinked });
            }}
            onClose={close}
          >
            <p>
              <bdi>{question.person.name}</bdi>
            </p>
            {t.providers.unlinkHelp}
          </Confirm>
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
    /** The words for a deletion: with a recycle bin it is not permanent. */
    deletion:
      typeof days === "number"
        ? { label: t.bin.deletePeople, help: t.bin.peopleRest(1, days) }
        : { label: t.people.delete, help: t.people.deleteRowHelp },
    suspend,
    reactivate: (...people: readonly Someone[]) => void reactivate(people),
    suspendAll: (people: readonly Someone[]) => askBulk("suspend", people),
    restore: (...people: readonly Someone[]) => void restoreAll(people),
    changeRole: (people: readonly Someone[]) => setQuestion({ kind: "role", people }),
    revoke: (people: readonly Someone[]) => askBulk("revoke", people),
    remove: (people: readonly Someone[]) => askBulk("delete", people),
    reset: (person: Someone) => setQuestion({ kind: "reset", person }),
    resetFactors: (person: Someone) => setQuestion({ kind: "factors", person }),
    endWays,
    unlink: (person: Someone) => setQuestion({ kind: "links", person }),
    dialogs: render(),
  };
};
