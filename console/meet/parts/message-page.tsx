import { Loader } from "@mantine/core";
import type { ReactNode } from "react";
import { Mark } from "../../kit/brand.tsx";
import css from "../../kit/message.module.css";
import { useMeeting } from "../connection.ts";

interface MessagePageProps {
  /** True if the page waits for something that comes by itself. */
  readonly waits?: boolean;
  /** The name of the room that it is about, if it is about one. */
  readonly room?: string | undefined;
  readonly children: ReactNode;
}

/** A page with a few words and what to do, below the mark of the organization, or of Parley. */
export const MessagePage = ({ waits = false, room, children }: MessagePageProps) => {
  const { invitation } = useMeeting();
  return (
    <main className={css.page}>
      <div className={css.box}>
        {waits ? (
          <Loader size="3rem" className={css.mark ?? ""} aria-hidden />
        ) : (
          <Mark logo={invitation?.brand.logo} className={css.logo} />
        )}
        {room !== undefined && (
          <p className="dimmed small">
            <bdi>{room}</bdi>
          </p>
        )}
        {children}
      </div>
    </main>
  );
};

interface MessageFormProps {
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** The question of such a page. */
export const MessageForm = ({ onSubmit, children }: MessageFormProps) => (
  <form
    noValidate
    className={css.form}
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
  >
    {children}
  </form>
);
