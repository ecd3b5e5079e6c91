import { Title, type TitleProps } from "@mantine/core";
import { useEffect, useRef } from "react";
import { isolated } from "../../../contract/kit/plain.ts";
import { said } from "../../kit/said.tsx";
import { t } from "../../texts/index.ts";

interface HeadingProps extends TitleProps {
  /** The title of the window; default: the heading. */
  readonly document?: string;
  readonly children: string;
}

/** The heading of a page; it takes the focus when the page appears, so that screen readers read it. */
export const Heading = ({ document: title, children, ...props }: HeadingProps) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title ?? isolated(children)} · ${t.product}`;
  }, [title, children]);
  useEffect(() => {
    // A field with autofocus keeps the focus.
    if (document.activeElement === document.body) heading.current?.focus();
  }, []);
  return (
    <Title order={1} size="h3" tabIndex={-1} ref={heading} {...props}>
      {said(children)}
    </Title>
  );
};
