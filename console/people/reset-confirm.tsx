import { Checkbox } from "@mantine/core";
import { useState } from "react";
import { parley } from "../kit/client.ts";
import { Confirm } from "../kit/confirm.tsx";
import { useMailLeaves } from "../kit/mail-notice.tsx";
import { useChange } from "../kit/use-change.ts";
import { t } from "../texts/index.ts";
import type { Someone } from "./heirs-field.tsx";

interface ResetConfirmProps {
  readonly person: Someone;
  readonly onDone: (password: string) => void;
  readonly onClose: () => void;
}

/** Asks before a person gets a new password. */
export const ResetConfirm = ({ person, onDone, onClose }: ResetConfirmProps) => {
  const leaves = useMailLeaves();
  const reset = useChange(parley.resetPassword);
  const [mustChoose, setMustChoose] = useState(false);
  return (
    <Confirm
      title={t.people.resetTitle(person.name)}
      confirm={t.people.resetConfirm}
      onConfirm={async () => {
        const { password } = await reset.mutateAsync({
          userId: person.id,
          // Off, as the organization has chosen.
          mustChoosePassword: mustChoose || undefined,
        });
        // After the question has closed: the dialog with the new password replaces it.
        setTimeout(() => onDone(password));
      }}
      onClose={onClose}
    >
      {leaves === false ? t.people.resetHelpNoMail : t.people.resetHelp}
      <Checkbox
        mt="md"
        label={t.people.labels.mustChoosePassword}
        checked={mustChoose}
        onChange={(event) => setMustChoose(event.currentTarget.checked)}
      />
    </Confirm>
  );
};
