import { CloseButton, Combobox, Loader, TextInput, useCombobox } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { type ClipboardEvent, type ReactNode, useEffect, useState } from "react";
import { t } from "../texts/index.ts";
import css from "./picker.module.css";

/** How a field passes on typed or pasted text: a pasted list keeps its line ends. */
export const takingFrom = (
  typed: string,
  take: ((typed: string) => boolean) | undefined,
  clear: () => void,
) => ({
  finish: (): void => {
    if (typed.trim() !== "" && take?.(typed)) clear();
  },
  onPaste: (event: ClipboardEvent<HTMLInputElement>): void => {
    const pasted = event.clipboardData.getData("text");
    if (!pasted.includes("@") || !take?.(pasted)) return;
    event.preventDefault();
    clear();
  },
});

/** The results while the person types. */
export interface Found<Thing> {
  readonly data: readonly Thing[] | undefined;
  readonly isPending: boolean;
  readonly isFetching: boolean;
  /** True if the results belong to the current text. */
  readonly isCurrent: boolean;
}

interface Pickable {
  readonly id: string;
  readonly name: string;
}

export interface PickerField {
  readonly label: string;
  readonly hideLabel?: boolean;
  readonly placeholder: string;
  /** The name of the chosen entry; empty if nothing is chosen. */
  readonly chosen?: string;
  readonly without?: readonly string[];
  readonly error?: ReactNode;
  readonly onClear?: () => void;
  /** Takes typed or pasted text; returns whether the field is done with it. */
  readonly take?: (typed: string) => boolean;
  readonly onType?: () => void;
}

interface PickerProps<Thing> extends PickerField {
  readonly useFound: (typed: string, open: boolean) => Found<Thing>;
  /** The text after the name in the list. */
  readonly more: (thing: Thing) => ReactNode;
  readonly nothing: string;
  readonly onPick: (thing: Thing) => void;
}

/** Finds a person or a room as the user types. */
export const Picker = <Thing extends Pickable>(props: PickerProps<Thing>) => {
  const { label, hideLabel = false, placeholder, chosen = "", without = [], error } = props;
  const { useFound, more, nothing, onPick, onClear, take, onType } = props;
  const [typed, setTyped] = useState("");
  const box = useCombobox({
    onDropdownClose: () => {
      box.resetSelectedOption();
      setTyped("");
    },
    onDropdownOpen: () => box.updateSelectedOptionIndex("active"),
  });
  const found = useFound(typed, box.dropdownOpened);
  const things = (found.data ?? []).filter(({ id }) => !without.includes(id));

  // Enter chooses the first result, once the results match the text.
  const first = things[0]?.id;
  const { isCurrent } = found;
  const { selectFirstOption, dropdownOpened } = box;
  useEffect(() => {
    if (dropdownOpened && typed !== "" && isCurrent && first !== undefined) selectFirstOption();
  }, [dropdownOpened, typed, isCurrent, first, selectFirstOption]);

  const pick = (id: string): void => {
    const thing = things.find((one) => one.id === id);
    if (thing) onPick(thing);
    box.closeDropdown();
  };

  const taking = takingFrom(typed, take, () => box.closeDropdown());

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
            onType?.();
            box.openDropdown();
            box.resetSelectedOption();
          }}
          onKeyDown={(event) => {
            // It chooses an entry, and never submits the form.
            if (event.key !== "Enter") return;
            event.preventDefault();
            if (things.length === 0 || !isCurrent) taking.finish();
          }}
          onPaste={taking.onPaste}
          onClick={() => box.openDropdown()}
          onFocus={(event) => event.currentTarget.select()}
          onBlur={() => {
            taking.finish();
            box.closeDropdown();
          }}
          rightSection={
            chosen !== "" && onClear && !box.dropdownOpened ? (
              <CloseButton
                size="sm"
                aria-label={t.rooms.setTo(t.actions.clear, label)}
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
          {things.map((thing) => (
            <Combobox.Option key={thing.id} value={thing.id}>
              <span className={css.name}>
                <bdi>{thing.name}</bdi>
              </span>
              <span className={`dimmed small ${css.more}`}>{more(thing)}</span>
            </Combobox.Option>
          ))}
          {things.length === 0 && (
            <Combobox.Empty>{found.isPending ? t.rooms.owners.searching : nothing}</Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
};
