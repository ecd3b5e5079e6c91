import { useEffect, useState } from "react";
import { m } from "../../texts/meet.ts";
import { sayChanges } from "../call/announce.ts";
import { meeting } from "../connection.ts";

/** How many announcements are kept; a screen reader reads only what is added. */
const KEPT = 20;

/** Announces to screen readers who comes, leaves, raises a hand or writes. */
export const Announcer = () => {
  const [lines, setLines] = useState<readonly { readonly key: number; readonly text: string }[]>(
    [],
  );
  useEffect(() => {
    let before = meeting.get();
    let key = 0;
    return meeting.subscribe(() => {
      const now = meeting.get();
      const said = sayChanges(before, now).map((text) => {
        key += 1;
        return { key, text };
      });
      before = now;
      if (said.length > 0) setLines((all) => [...all, ...said].slice(-KEPT));
    });
  }, []);
  return (
    <div className="unseen" role="log" aria-live="polite" aria-label={m.said.label}>
      {lines.map(({ key, text }) => (
        <p key={key}>{text}</p>
      ))}
    </div>
  );
};
