import { type RefObject, useEffect, useRef } from "react";

/**
 * When what had the focus goes away, such as a request that is answered, its panel takes the focus, or
 * where that is gone too, the page's heading.
 */
export const useKeptFocus = (): RefObject<HTMLDivElement | null> => {
  const page = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current: element } = page;
    if (element === null) return;
    let last: HTMLElement | null = null;
    let panel: HTMLElement | null = null;
    const onFocus = ({ target }: FocusEvent): void => {
      if (!(target instanceof HTMLElement)) return;
      last = target;
      panel = target.closest("aside");
    };
    // A click beside it takes its focus away. So does its removal, which is over when this runs.
    const onBlur = (): void =>
      queueMicrotask(() => {
        if (last?.isConnected && document.activeElement === document.body) last = null;
      });
    const observer = new MutationObserver(() => {
      if (!last || last.isConnected || document.activeElement !== document.body) return;
      (panel?.isConnected ? panel : element.querySelector("h1"))?.focus();
    });
    element.addEventListener("focusin", onFocus);
    element.addEventListener("focusout", onBlur);
    observer.observe(element, { childList: true, subtree: true });
    return () => {
      element.removeEventListener("focusin", onFocus);
      element.removeEventListener("focusout", onBlur);
      observer.disconnect();
    };
  }, []);
  return page;
};
