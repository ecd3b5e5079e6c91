import { useState } from "react";
import { useHandOver } from "../data/hand-over.ts";
import { Confirm } from "../kit/confirm.tsx";
import { t } from "../texts/index.ts";
import type { Someone } from "./heirs-field.tsx";
import { HeirsField } from "./heirs-field.tsx";

interface HandOverDialogProps {
  readonly person: Pick<Someone, "id" | "name">;
  readonly onClose: () => void;
}

export const HandOverDialog = ({ person, onClose }: HandOverDialogProps) => {
  const [heirs, setHeirs] = useState<readonly Someone[]>([]);
  const handOver = useHandOver();
  return (
    <Confirm
      title={t.handOver.title(person.name)}
      confirm={t.handOver.confirm}
      isComplete={heirs.length > 0}
      onClose={onClose}
      onConfirm={() =>
        handOver(
          [person.id],
          heirs.map(({ id }) => id),
        )
      }
    >
      <HeirsField value={heirs} without={[person.id]} onChange={setHeirs} />
    </Confirm>
  );
};
