import type { ClipboardEvent } from "react";

/** How a field passes on typed or pasted text: a pasted list keeps its line ends. */
export const takingFrom = (
  typed: string,
  take: ((typed: string) => boolean) | undefined,
  clear: () => void,
) => ({
  finish: (): void => {
    if (typed.trim() !== "" && take?.(typed)) clear();
  },
  onPaste: (event: ClipboardEvent<HTMLInputElement>): void => {
    const pasted = event.clipboardData.getData("text");
    if (!pasted.includes("@") || !take?.(pasted)) return;
    event.preventDefault();
    clear();
  },
});
