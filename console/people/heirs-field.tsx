import { ActionIcon, Input } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import css from "../columns/owners.module.css";
import { PersonPicker } from "../columns/person-picker.tsx";
import { t } from "../texts/index.ts";

/** The parts of a person that the actions need. */
export interface Someone {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

const texts = t.handOver;

interface HeirsFieldProps {
  readonly value: readonly Someone[];
  /** The IDs of people who cannot be chosen. */
  readonly without: readonly string[];
  readonly onChange: (heirs: readonly Someone[]) => void;
}

/** Chooses the people who get rooms; they are found by typing. */
export const HeirsField = ({ value, without, onChange }: HeirsFieldProps) => (
  <Input.Wrapper label={texts.heirs} description={texts.help} labelElement="div">
    <ul className={css.list} aria-label={texts.heirs}>
      {value.map(({ id, name, email }) => (
        <li key={id} className={css.owner}>
          <span className={css.who}>
            <bdi>{name}</bdi>
            <span className="dimmed small">
              <bdi>{email}</bdi>
            </span>
          </span>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={texts.remove(name)}
            onClick={() => onChange(value.filter((heir) => heir.id !== id))}
          >
            <IconX size={16} />
          </ActionIcon>
        </li>
      ))}
    </ul>
    <div className={css.add}>
      <PersonPicker
        label={texts.add}
        hideLabel
        placeholder={texts.placeholder}
        without={[...without, ...value.map(({ id }) => id)]}
        onPick={(person) => onChange([...value, person])}
      />
    </div>
  </Input.Wrapper>
);
