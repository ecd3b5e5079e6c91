import { Button } from "@mantine/core";
import type { User } from "../kit/queries.ts";
import { t } from "../texts/index.ts";
import type { usePersonActions } from "./person-actions.tsx";

interface BulkButtonsProps {
  readonly revoked: boolean;
  /** The selected people. */
  readonly people: readonly User[];
  readonly actions: ReturnType<typeof usePersonActions>;
}

/** The actions for the selected people. */
export const BulkButtons = ({ revoked, people, actions }: BulkButtonsProps) => {
  const shared = { size: "compact-sm", variant: "default" } as const;
  const role = (
    <Button {...shared} onClick={() => actions.changeRole(people)}>
      {t.people.changeRole}
    </Button>
  );
  if (revoked) {
    return (
      <>
        {role}
        <Button {...shared} onClick={() => actions.reactivate(...people)}>
          {t.people.reactivate}
        </Button>
        <Button size="compact-sm" color="red.9" onClick={() => actions.remove(people)}>
          {actions.deletion.label}
        </Button>
      </>
    );
  }
  // Otherwise Undo would also restore people who were already suspended.
  const suspended = people.filter(({ accountSuspended }) => accountSuspended);
  const active = people.filter(({ accountSuspended }) => !accountSuspended);
  return (
    <>
      {role}
      {suspended.length > 0 && (
        <Button {...shared} onClick={() => actions.restore(...suspended)}>
          {t.people.restore}
        </Button>
      )}
      {active.length > 0 && (
        <Button {...shared} onClick={() => actions.suspendAll(active)}>
          {t.people.suspend}
        </Button>
      )}
      <Button size="compact-sm" color="red.9" onClick={() => actions.revoke(people)}>
        {t.people.revoke}
      </Button>
    </>
  );
};
