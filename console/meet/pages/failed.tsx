import { Button } from "@mantine/core";
import { useEffect, useRef } from "react";
import { base } from "../../data/base.ts";
import { ParleyError, sayFailure } from "../../data/client.ts";
import css from "../../styles/message.module.css";
import { t } from "../../texts/index.ts";
import { m } from "../../texts/meet.ts";
import { Again } from "../call/again.ts";
import { isPassing } from "../call/seat.ts";
import { Heading } from "../parts/heading.tsx";
import { SignIn } from "../parts/sign-in.tsx";

/** The texts for a link that opens nothing; undefined if another try may help. */
const textsFor = (code: string | undefined) => {
  switch (code) {
    case "room_not_found":
      return { title: m.failed.notFound, help: m.failed.notFoundHelp };
    case "link_ended":
      return { title: m.failed.linkEnded, help: m.failed.linkEndedHelp };
    default:
      return undefined;
  }
};

interface FailedPageProps {
  readonly failure: unknown;
  readonly retry: () => Promise<unknown>;
}

/** Tries again by itself, as long as this is shown. */
const useAgain = (isWorthIt: boolean, retry: () => Promise<unknown>): void => {
  const latest = useRef(retry);
  latest.current = retry;
  useEffect(() => {
    if (!isWorthIt) return;
    const again = new Again(async () => {
      await latest.current();
      return false;
    });
    again.start();
    return () => again.stop();
  }, [isWorthIt]);
};

/** A link that cannot be opened: the reason, and what to do. */
export const FailedPage = ({ failure, retry }: FailedPageProps) => {
  const code = failure instanceof ParleyError ? failure.code : undefined;
  const texts = textsFor(code);
  useAgain(isPassing(failure), retry);
  return (
    <main className={css.page}>
      <div className={css.box}>
        <img src={`${base}/icon.svg`} alt="" className={css.mark} />
        <Heading>{texts?.title ?? m.failed.title}</Heading>
        <p className="dimmed" role="alert">
          {texts?.help ?? sayFailure(failure)}
        </p>
        {texts === undefined && <Button onClick={() => void retry()}>{t.actions.tryAgain}</Button>}
        {/* A room's ID opens it to people of its organization. */}
        {code === "room_not_found" && <SignIn />}
      </div>
    </main>
  );
};
