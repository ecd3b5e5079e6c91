import { ConflictDialog } from "../kit/conflict-dialog.tsx";
import { changesOf } from "../kit/form.ts";
import { sayField } from "../kit/schema-field.tsx";
import { t } from "../texts/index.ts";
import type { PersonField, PersonValues } from "./person-values.ts";

interface PersonConflictProps {
  readonly name: string;
  /** The version from which the form began. */
  readonly base: PersonValues;
  readonly mine: PersonValues;
  /** The version that is saved now. */
  readonly current: PersonValues;
  readonly onSave: (values: PersonValues) => void;
  readonly onClose: () => void;
}

/** Shows the two versions of a person that two people edited. */
export const PersonConflict = (props: PersonConflictProps) => {
  const { name, base, mine, current, onSave, onClose } = props;
  const changed = changesOf(mine, base);
  return (
    <ConflictDialog
      title={t.people.conflictTitle(name)}
      rows={changesOf(mine, current).map((field) => ({
        name: field,
        label: t.people.labels[field],
        mine: sayField(field, mine[field]),
        current: sayField(field, current[field]),
        changed: changed.includes(field),
      }))}
      onSave={(keep) =>
        onSave({
          ...current,
          ...Object.fromEntries([...keep].map((field) => [field, mine[field as PersonField]])),
        })
      }
      onClose={onClose}
    />
  );
};
