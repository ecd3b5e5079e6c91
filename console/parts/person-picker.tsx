import { CloseButton, Combobox, Loader, TextInput, useCombobox } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { type ReactNode, useEffect, useState } from "react";
import { usePeopleSearch } from "../data/people-search.ts";
import type { User } from "../data/queries.ts";
import css from "../styles/person-picker.module.css";
import { t } from "../texts/index.ts";

interface PersonPickerProps {
  readonly label: string;
  readonly hideLabel?: boolean;
  readonly placeholder: string;
  /** The name of the person that is chosen; empty between choices. */
  readonly chosen?: string;
  readonly without?: readonly string[];
  readonly error?: ReactNode;
  readonly onPick: (person: User) => void;
  readonly onClear?: () => void;
}

/** Finds a person by typing. */
export const PersonPicker = (props: PersonPickerProps) => {
  const {
    label,
    hideLabel = false,
    placeholder,
    chosen = "",
    without = [],
    error,
    onPick,
    onClear,
  } = props;
  const [typed, setTyped] = useState("");
  const box = useCombobox({
    onDropdownClose: () => {
      box.resetSelectedOption();
      setTyped("");
    },
    onDropdownOpen: () => box.updateSelectedOptionIndex("active"),
  });
  const found = usePeopleSearch(typed, box.dropdownOpened);
  const people = (found.data ?? []).filter(({ id }) => !without.includes(id));

  // Enter takes the first that is found, once it is what was typed.
  const first = people[0]?.id;
  const { isCurrent } = found;
  const { selectFirstOption, dropdownOpened } = box;
  useEffect(() => {
    if (dropdownOpened && typed !== "" && isCurrent && first !== undefined) selectFirstOption();
  }, [dropdownOpened, typed, isCurrent, first, selectFirstOption]);

  const pick = (id: string): void => {
    const person = people.find((one) => one.id === id);
    if (person) onPick(person);
    box.closeDropdown();
  };

  return (
    <Combobox store={box} onOptionSubmit={pick} withinPortal>
      <Combobox.Target withExpandedAttribute>
        <TextInput
          {...(hideLabel ? { "aria-label": label } : { label })}
          placeholder={placeholder}
          value={box.dropdownOpened ? typed : chosen}
          error={error}
          autoComplete="off"
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            box.openDropdown();
            box.resetSelectedOption();
          }}
          onKeyDown={(event) => {
            // It chooses a person, and never sends the form.
            if (event.key === "Enter") event.preventDefault();
          }}
          onClick={() => box.openDropdown()}
          onFocus={(event) => event.currentTarget.select()}
          onBlur={() => box.closeDropdown()}
          rightSection={
            chosen !== "" && onClear && !box.dropdownOpened ? (
              <CloseButton
                size="sm"
                aria-label={`${t.actions.clear}: ${label}`}
                onClick={onClear}
              />
            ) : found.isFetching ? (
              <Loader size={16} />
            ) : (
              <IconChevronDown size={16} aria-hidden className={css.chevron} />
            )
          }
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options aria-label={label}>
          {people.map(({ id, name, email, accountSuspended }) => (
            <Combobox.Option key={id} value={id}>
              <span className={css.name}>{name}</span>
              <span className={`dimmed small ${css.email}`}>
                {email}
                {accountSuspended && ` · ${t.people.states.suspended}`}
              </span>
            </Combobox.Option>
          ))}
          {people.length === 0 && (
            <Combobox.Empty>
              {found.isPending ? t.rooms.owners.searching : t.rooms.owners.nobody}
            </Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
};
