import { Button, Checkbox, Group, Stack } from "@mantine/core";
import { useState } from "react";
import { ALL_LINES, type ImportSummary } from "../../contract/imports/imports.ts";
import { parley } from "../kit/client.ts";
import { FailureNote } from "../kit/failure-note.tsx";
import { useChange } from "../kit/use-change.ts";
import { useOnce } from "../kit/use-once.ts";
import { t } from "../texts/index.ts";
import css from "./imports.module.css";

const texts = t.imports;

interface ConfirmFormProps {
  readonly shown: ImportSummary;
  readonly onConfirmed: () => void;
  readonly onDiscarded: () => void;
}

/** Asks how to carry out a checked import; nothing changes before that. */
export const ConfirmForm = ({ shown, onConfirmed, onDiscarded }: ConfirmFormProps) => {
  const { id: importId, plan, lines, kind } = shown;
  const [all, setAll] = useState(false);
  const [emails, setEmails] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const count = plan.create + plan.change;
  const canAll = lines <= ALL_LINES && plan.refuse === 0;

  const confirming = useChange(parley.confirmImport);
  const discarding = useChange(parley.removeImport, (key) => key[1] === importId);
  const confirm = useOnce(async () => {
    setFailure(undefined);
    const mode = all && canAll ? "all" : "possible";
    await confirming.mutateAsync({ importId, mode, emails }).then(onConfirmed, setFailure);
  });
  const discard = useOnce(() =>
    discarding.mutateAsync({ id: importId }).then(onDiscarded, setFailure),
  );

  return (
    <Stack gap="md" className={css.confirm ?? ""}>
      <Checkbox
        label={texts.all}
        description={texts.allHelp(ALL_LINES)}
        checked={all && canAll}
        disabled={!canAll}
        onChange={(event) => setAll(event.currentTarget.checked)}
      />
      {kind === "users" && plan.create > 0 && (
        <Checkbox
          label={texts.emails}
          description={texts.emailsHelp}
          checked={emails}
          onChange={(event) => setEmails(event.currentTarget.checked)}
        />
      )}
      <FailureNote failure={failure} />
      <Group gap="sm">
        <Button disabled={count === 0} onClick={() => void confirm()}>
          {count === 0 ? texts.nothing : texts.confirm(count)}
        </Button>
        <Button variant="default" onClick={() => void discard()}>
          {texts.discard}
        </Button>
      </Group>
    </Stack>
  );
};
