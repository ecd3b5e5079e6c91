import { Button, Group, Radio, Stack, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { t } from "../texts/index.ts";
import css from "./conflict.module.css";
import { Dialog } from "./dialog.tsx";

/** A field whose form value differs from the saved one. */
export interface ConflictRow {
  readonly name: string;
  readonly label: string;
  readonly mine: ReactNode;
  readonly current: ReactNode;
  /** True if the person changed it; otherwise only somebody else did. */
  readonly changed: boolean;
}

interface ConflictDialogProps {
  readonly title: string;
  readonly rows: readonly ConflictRow[];
  readonly onSave: (keep: ReadonlySet<string>) => void;
  readonly onClose: () => void;
}

/** Shows both versions of something that two people edited, for a choice by field. */
export const ConflictDialog = ({ title, rows, onSave, onClose }: ConflictDialogProps) => {
  const [keep, setKeep] = useState<ReadonlySet<string>>(
    () => new Set(rows.filter(({ changed }) => changed).map(({ name }) => name)),
  );
  const choose = (name: string, mine: boolean): void => {
    const next = new Set(keep);
    if (mine) next.add(name);
    else next.delete(name);
    setKeep(next);
  };
  return (
    <Dialog title={title} onClose={onClose} size="lg">
      <Stack gap="md">
        <Text size="sm">{t.conflict.help}</Text>
        {rows.map(({ name, label, mine, current }) => (
          <Radio.Group
            key={name}
            label={label}
            value={keep.has(name) ? "mine" : "current"}
            onChange={(choice) => choose(name, choice === "mine")}
          >
            <div className={css.versions}>
              <Radio value="mine" label={<Version title={t.conflict.mine} value={mine} />} />
              <Radio
                value="current"
                label={<Version title={t.conflict.current} value={current} />}
              />
            </div>
          </Radio.Group>
        ))}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t.actions.cancel}
          </Button>
          <Button onClick={() => onSave(keep)}>{t.conflict.save}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
};

const Version = ({ title, value }: { readonly title: string; readonly value: ReactNode }) => (
  <>
    <span className={css.title}>{title}</span>: <bdi className={css.value}>{value}</bdi>
  </>
);
