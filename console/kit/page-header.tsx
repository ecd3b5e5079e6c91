import { Title } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router";
import { isolated } from "../../contract/kit/plain.ts";
import { t } from "../texts/index.ts";
import css from "./page-header.module.css";
import { said } from "./said.tsx";

interface PageHeaderProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  readonly above?: ReactNode;
}

let lastPath: string | undefined;

/** The page's heading. After navigation it takes the focus, so that screen readers read it. */
export const PageHeader = ({ title, description, actions, above }: PageHeaderProps) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const { pathname } = useLocation();
  const how = useNavigationType();
  useEffect(() => {
    document.title = `${isolated(title)} · ${t.product}`;
  }, [title]);
  useEffect(() => {
    if (lastPath !== undefined && lastPath !== pathname) {
      heading.current?.focus({ preventScroll: how === "POP" });
    }
    lastPath = pathname;
  }, [pathname, how]);
  return (
    <header className={css.header}>
      <div className={css.words}>
        {above}
        <Title order={1} size="h3" ref={heading} tabIndex={-1}>
          {said(title)}
        </Title>
        {description && <div className={`dimmed ${css.description}`}>{description}</div>}
      </div>
      {actions && <div className={css.actions}>{actions}</div>}
    </header>
  );
};
