import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * Tells the notices the height of a bar at the end of the window, with what stands on it, so that
 * none covers its buttons.
 */
export const useBarHeight = <E extends HTMLElement>(
  name: "--parley-bar-height" | "--parley-on-bar-height" = "--parley-bar-height",
): RefObject<E | null> => {
  const bar = useRef<E>(null);
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() =>
      style.setProperty(name, `${bar.current?.offsetHeight ?? 0}px`),
    );
    if (bar.current) observer.observe(bar.current);
    return () => {
      observer.disconnect();
      style.removeProperty(name);
    };
  }, [name]);
  return bar;
};
