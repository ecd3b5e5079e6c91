import { Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { Link } from "react-router";
import css from "./overview.module.css";

interface PanelProps {
  readonly title: string;
  /** The page that shows all of it. */
  readonly more?: { readonly to: string; readonly label: string };
  readonly children: ReactNode;
}

/** A card of the overview. */
export const OverviewPanel = ({ title, more, children }: PanelProps) => {
  const id = useId();
  return (
    <section className={`card ${css.panel}`} aria-labelledby={id}>
      <div className={css.head}>
        <Title order={2} size="h5" id={id}>
          {title}
        </Title>
        {more && (
          <Link to={more.to} className={css.more}>
            {more.label}
          </Link>
        )}
      </div>
      {children}
    </section>
  );
};
