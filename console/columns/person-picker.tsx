import { usePeopleSearch } from "../data/search.ts";
import { Picker, type PickerField } from "../kit/picker.tsx";
import type { User } from "../kit/queries.ts";
import { t } from "../texts/index.ts";

interface PersonPickerProps extends PickerField {
  readonly onPick: (person: User) => void;
}

/** Finds a person as the user types. */
export const PersonPicker = (props: PersonPickerProps) => (
  <Picker
    {...props}
    useFound={usePeopleSearch}
    nothing={t.rooms.owners.nobody}
    more={({ email, accountSuspended }) =>
      accountSuspended ? `${email} · ${t.people.states.suspended}` : email
    }
  />
);
