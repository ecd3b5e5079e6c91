import { Button } from "@mantine/core";
import css from "../columns/people.module.css";
import { parley } from "../kit/client.ts";
import { FormGroup } from "../kit/form-parts.tsx";
import type { User } from "../kit/queries.ts";
import { useFileSave } from "../kit/save-file.ts";
import { useUser } from "../kit/session.ts";
import { t } from "../texts/index.ts";
import type { usePersonActions } from "./person-actions.tsx";

interface ActionProps {
  readonly help: string;
  readonly label: string;
  readonly danger?: boolean;
  readonly onClick: () => void;
}

const Action = ({ help, label, danger = false, onClick }: ActionProps) => (
  <div className={css.action}>
    <p className="small dimmed">{help}</p>
    <Button
      variant={danger ? "light" : "default"}
      {...(danger ? { color: "red" } : {})}
      onClick={onClick}
    >
      {label}
    </Button>
  </div>
);

/** Downloads everything known about the person, as one file. */
const PersonalData = ({ id }: { readonly id: string }) => {
  const { busy, save } = useFileSave();
  return (
    <Action
      help={t.people.dataHelp}
      label={busy ? t.states.saving : t.people.data}
      onClick={() => void save(`person-${id}.json`, () => parley.exportUser({ userId: id }))}
    />
  );
};

interface AccountActionsProps {
  readonly person: Omit<User, "rooms" | "roomIds">;
  readonly actions: ReturnType<typeof usePersonActions>;
}

/** Suspend, revoke and their opposites, each with its meaning. */
export const AccountActions = ({ person, actions }: AccountActionsProps) => {
  const isMe = useUser().id === person.id;
  return (
    <FormGroup id="account" title={t.people.actions}>
      <div className={css.side}>
        <PersonalData id={person.id} />
        {person.accountDeleted ? (
          <>
            <Action
              help={t.people.reactivateHelp}
              label={t.people.reactivate}
              onClick={() => actions.reactivate(person)}
            />
            <Action
              help={actions.deletion.help}
              label={actions.deletion.label}
              danger
              onClick={() => actions.remove([person])}
            />
          </>
        ) : (
          <>
            <Action
              help={t.people.resetRowHelp}
              label={t.people.resetPassword}
              onClick={() => actions.reset(person)}
            />
            {!isMe && (
              <Action
                help={t.people.resetFactorsRowHelp}
                label={t.people.resetFactors}
                onClick={() => actions.resetFactors(person)}
              />
            )}
            <Action
              help={t.providers.unlinkHelp}
              label={t.providers.unlink}
              onClick={() => actions.unlink(person)}
            />
            {!isMe &&
              (person.accountSuspended ? (
                <Action
                  help={t.people.restoreHelp}
                  label={t.people.restore}
                  onClick={() => actions.restore(person)}
                />
              ) : (
                <Action
                  help={t.people.suspendHelp}
                  label={t.people.suspend}
                  onClick={() => actions.suspend(person)}
                />
              ))}
            {!isMe && (
              <Action
                help={t.people.revokeOneHelp}
                label={t.people.revoke}
                danger
                onClick={() => actions.revoke([person])}
              />
            )}
          </>
        )}
      </div>
    </FormGroup>
  );
};
