import { Tooltip, UnstyledButton } from "@mantine/core";
import type { ComponentType, Ref } from "react";
import css from "../styles/bar.module.css";

interface RoundButtonProps {
  readonly label: string;
  readonly icon: ComponentType<{ readonly size?: number; readonly stroke?: number }>;
  readonly onClick?: () => void;
  /** For a device: whether it is off, which is marked. */
  readonly isOff?: boolean;
  /** For a device that is on: whether nothing comes from it. */
  readonly isSilent?: boolean;
  /** For what the button ends: it is marked. Its label says it, so it is no pressed button. */
  readonly isOn?: boolean;
  /** For something that can be open. */
  readonly expanded?: boolean;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  /** A number beside the icon. */
  readonly count?: number;
  /** The keyboard shortcut. */
  readonly shortcut?: string;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** A button of the bar: an icon with a name. */
export const RoundButton = ({
  label,
  icon: Icon,
  onClick,
  isOff,
  isSilent,
  isOn,
  expanded,
  danger = false,
  disabled = false,
  count = 0,
  shortcut,
  ref,
  ...more
}: RoundButtonProps) => (
  <Tooltip label={shortcut === undefined ? label : `${label} (${shortcut})`}>
    <UnstyledButton
      {...more}
      {...(ref === undefined ? {} : { ref })}
      className={css.button ?? ""}
      aria-label={label}
      {...(shortcut === undefined ? {} : { "aria-keyshortcuts": shortcut })}
      {...(expanded === undefined ? {} : { "aria-expanded": expanded })}
      data-on={isOn || undefined}
      data-off={isOff || undefined}
      data-silent={isSilent || undefined}
      data-danger={danger || undefined}
      aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : onClick}
    >
      <Icon size={22} stroke={1.75} />
      {count > 0 && (
        <span className={css.count} aria-hidden>
          {count > 99 ? "99+" : count}
        </span>
      )}
    </UnstyledButton>
  </Tooltip>
);
