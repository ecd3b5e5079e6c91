import { Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { base } from "../kit/base.ts";
import { LanguageSelect } from "../kit/language-select.tsx";
import { t } from "../texts/index.ts";
import css from "./sign-in.module.css";

/** A page outside the console, with one card. */
export const CardPage = ({
  title,
  tab = title,
  above,
  children,
}: {
  readonly title: string;
  /** The title of the browser's tab. */
  readonly tab?: string;
  /** What stands between the title and the card. */
  readonly above?: ReactNode;
  readonly children: ReactNode;
}) => {
  useEffect(() => {
    document.title = `${tab} · ${t.product}`;
  }, [tab]);
  return (
    <main className={css.page}>
      <div className={css.box}>
        <img src={`${base}/icon.svg`} alt="" className={css.mark} />
        <Title order={1} size="h3">
          {title}
        </Title>
        {above}
        <div className={`card ${css.card}`}>{children}</div>
        <LanguageSelect />
      </div>
    </main>
  );
};
