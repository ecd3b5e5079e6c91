import { Button } from "@mantine/core";
import { ParleyError, sayFailure } from "../../data/client.ts";
import css from "../../styles/message.module.css";
import { t } from "../../texts/index.ts";
import { m } from "../../texts/meet.ts";
import { meeting } from "../connection.ts";
import { Heading } from "../parts/heading.tsx";

/** The texts for a link that opens nothing; undefined where another try may help. */
const textsFor = (failure: unknown) => {
  switch (failure instanceof ParleyError ? failure.code : undefined) {
    case "room_not_found":
      return { title: m.failed.notFound, help: m.failed.notFoundHelp };
    case "link_ended":
      return { title: m.failed.linkEnded, help: m.failed.linkEndedHelp };
    default:
      return undefined;
  }
};

/** A link that cannot be opened: why, and what to do. */
export const FailedPage = ({ failure }: { readonly failure: unknown }) => {
  const texts = textsFor(failure);
  return (
    <main className={css.page}>
      <div className={css.box}>
        <img src="/icon.svg" alt="" className={css.mark} />
        <Heading>{texts?.title ?? m.failed.title}</Heading>
        <p className="dimmed" role="alert">
          {texts?.help ?? sayFailure(failure)}
        </p>
        {texts === undefined && (
          <Button onClick={() => void meeting.load()}>{t.actions.tryAgain}</Button>
        )}
      </div>
    </main>
  );
};
