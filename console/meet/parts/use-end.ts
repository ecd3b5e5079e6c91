import { type RefObject, type UIEvent, useEffect, useLayoutEffect, useRef } from "react";

/** The distance from its end up to which a list still follows, in CSS pixels. */
const NEAR = 24;

interface End {
  readonly ref: RefObject<HTMLUListElement | null>;
  readonly onScroll: (event: UIEvent<HTMLUListElement>) => void;
}

/**
 * Keeps a list at its end, unless the person has scrolled away.
 *
 * @param entries the shown entries, if any
 * @param isOwn whether the newest is this person's own, which is always scrolled to
 */
export const useEnd = (entries: readonly unknown[], isOwn: boolean): End => {
  const ref = useRef<HTMLUListElement>(null);
  const isAtEnd = useRef(true);
  const height = useRef(0);
  const isEmpty = entries.length === 0;
  // A person who reads older entries is not scrolled away.
  useLayoutEffect(() => {
    if (entries.length === 0 || !(isAtEnd.current || isOwn)) return;
    ref.current?.scrollTo({ top: ref.current.scrollHeight });
  }, [entries, isOwn]);
  // The list becomes lower, as above the keyboard of a phone.
  useEffect(() => {
    const { current: list } = ref;
    if (isEmpty || list === null) return;
    const follow = () => {
      height.current = list.clientHeight;
      if (isAtEnd.current) list.scrollTo({ top: list.scrollHeight });
    };
    const observer = new ResizeObserver(follow);
    observer.observe(list);
    // A window that is high and low again within one frame moves the list, which the observer does not see.
    window.addEventListener("resize", follow);
    return () => {
      observer.disconnect();
      window.removeEventListener("resize", follow);
    };
  }, [isEmpty]);
  return {
    ref,
    onScroll: ({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
      // Another height scrolls a list too; that is not the person.
      if (clientHeight !== height.current) return;
      isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR;
    },
  };
};
