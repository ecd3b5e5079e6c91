import type { ReactNode } from "react";
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
