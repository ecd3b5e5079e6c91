import { ActionIcon, type ActionIconProps } from "@mantine/core";
import type { ComponentType } from "react";
import css from "./step.module.css";

interface StepProps extends Pick<ActionIconProps, "variant" | "color"> {
  readonly label: string;
  readonly icon: ComponentType<{ readonly size?: number }>;
  /** True if there is no such page. */
  readonly off: boolean;
  readonly className?: string | undefined;
  readonly onStep: () => void;
}

/** Goes to another page. Never `disabled`: on the last page the focus would be lost. */
export const PageStep = ({ label, icon: Icon, off, className, onStep, ...looks }: StepProps) => (
  <ActionIcon
    {...looks}
    size="lg"
    aria-label={label}
    aria-disabled={off}
    className={[css.step, className].filter(Boolean).join(" ")}
    onClick={() => {
      if (!off) onStep();
    }}
  >
    <Icon size={18} />
  </ActionIcon>
);
