import { Button, Text, Title } from "@mantine/core";
import { IconPlugConnectedX, IconRefresh, IconSearchOff } from "@tabler/icons-react";
import type { ComponentType, ReactNode } from "react";
import { t } from "../texts/index.ts";
import { ParleyError, sayFailure } from "./client.ts";
import { said } from "./said.tsx";
import css from "./states.module.css";

interface BlankProps {
  readonly icon: ComponentType<{ readonly size?: number; readonly stroke?: number }>;
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

/** An empty state: why there is nothing to show, and what to do. */
export const Blank = ({ icon: Icon, title, children, action }: BlankProps) => (
  <div className={css.blank}>
    <span className={css.icon} aria-hidden>
      <Icon size={28} stroke={1.5} />
    </span>
    <Title order={2} size="h5">
      {said(title)}
    </Title>
    {children && (
      <Text size="sm" className={`dimmed ${css.help}`} component="div">
        {children}
      </Text>
    )}
    {action && <div className={css.action}>{action}</div>}
  </div>
);

interface NoMatchProps {
  readonly title: string;
  readonly help: string;
  readonly clear: () => void;
}

/** For a search or filter without results: a button clears it. */
export const NoMatch = ({ title, help, clear }: NoMatchProps) => (
  <Blank
    icon={IconSearchOff}
    title={title}
    action={
      <Button variant="default" onClick={clear}>
        {t.table.clearFilters}
      </Button>
    }
  >
    {help}
  </Blank>
);

/** A failure, and a button that tries again. */
export const Failed = ({
  failure,
  retry,
}: {
  readonly failure: unknown;
  readonly retry: () => void;
}) => (
  <div role="alert">
    <Blank
      icon={IconPlugConnectedX}
      title={t.states.failed}
      action={
        <Button variant="default" leftSection={<IconRefresh size={16} />} onClick={retry}>
          {t.actions.tryAgain}
        </Button>
      }
    >
      {sayFailure(failure)}
      {failure instanceof ParleyError && failure.requestId !== undefined && (
        <div className="mono">{t.states.request(failure.requestId)}</div>
      )}
    </Blank>
  </div>
);
