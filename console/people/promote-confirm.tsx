import { Checkbox } from "@mantine/core";
import { useState } from "react";
import { Confirm } from "../kit/confirm.tsx";
import { t } from "../texts/index.ts";
import type { Someone } from "./heirs-field.tsx";
import { WaysList } from "./ways.tsx";

const texts = t.people.ways;

interface PromoteConfirmProps {
  readonly person: Someone;
  /** @param ends whether the ways into the account end */
  readonly onConfirm: (ends: boolean) => void;
  readonly onClose: () => void;
}

/** Asks before a person becomes an administrator: somebody else may know a way into the account. */
export const PromoteConfirm = ({ person, onConfirm, onClose }: PromoteConfirmProps) => {
  const [ends, setEnds] = useState(false);
  return (
    <Confirm
      title={texts.promoteTitle(person.name)}
      confirm={t.people.save}
      onConfirm={async () => onConfirm(ends)}
      onClose={onClose}
    >
      <p>{texts.promoteHelp(person.email)}</p>
      <WaysList id={person.id} />
      <Checkbox
        mt="md"
        label={texts.end}
        description={texts.endHelp}
        checked={ends}
        onChange={(event) => setEnds(event.currentTarget.checked)}
      />
    </Confirm>
  );
};
