import { type RefObject, useLayoutEffect, useRef } from "react";

/** Tells the notices how high a bar at the end of the window is, so that none of them covers its buttons. */
export const useBarHeight = <E extends HTMLElement>(): RefObject<E | null> => {
  const bar = useRef<E>(null);
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() =>
      style.setProperty("--parley-bar-height", `${bar.current?.offsetHeight ?? 0}px`),
    );
    if (bar.current) observer.observe(bar.current);
    return () => {
      observer.disconnect();
      style.removeProperty("--parley-bar-height");
    };
  }, []);
  return bar;
};
