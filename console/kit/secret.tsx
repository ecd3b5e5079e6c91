import { Text } from "@mantine/core";
import { CopyIcon } from "./copy.tsx";
import css from "./secret.module.css";

/** A value to hand over: its label, the literal value, and a button that copies it. */
export const Secret = ({ label, value }: { readonly label: string; readonly value: string }) => (
  <div className={css.secret}>
    <div className={css.what}>
      <Text size="xs" className="dimmed">
        {label}
      </Text>
      <code className={css.value}>{value}</code>
    </div>
    <CopyIcon text={value} what={label} />
  </div>
);
