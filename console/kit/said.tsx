import { Fragment, type ReactNode } from "react";
import { isolatedParts } from "../texts/isolated.ts";

/**
 * A text that is, or contains, somebody else's: each in an element of its own, so that it turns
 * nothing around it.
 */
export const said = (text: string): ReactNode => {
  const parts = isolatedParts(text);
  if (parts.length === 1) return <bdi>{text}</bdi>;
  return parts.map((part, index) => (index % 2 === 0 ? part : <bdi key={index}>{part}</bdi>));
};

/** Stands for the part while the text is made. */
const PLACE = "\ufffc";

/** A text with a part of its own look in it, such as a command. */
export const around = (text: (part: string) => string, part: ReactNode): ReactNode =>
  text(PLACE)
    .split(PLACE)
    .map((piece, index) => (
      <Fragment key={index}>
        {index > 0 && part}
        {piece}
      </Fragment>
    ));
