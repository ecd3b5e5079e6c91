import { Button, Loader } from "@mantine/core";
import type { Captured } from "../../../contract/meetings.ts";
import css from "../../styles/message.module.css";
import { m } from "../../texts/meet.ts";
import { capturedTexts } from "../call/captured.ts";
import { meeting, useMeeting } from "../connection.ts";
import { Heading } from "../parts/heading.tsx";

/** Before the door: a moderator decides. */
export const LobbyPage = ({
  moderated,
  ...captured
}: Captured & { readonly moderated: boolean }) => {
  const { invitation } = useMeeting();
  return (
    <main className={css.page}>
      <div className={css.box}>
        <Loader size="md" className={css.mark ?? ""} aria-hidden />
        <p className="dimmed small">{invitation?.name}</p>
        <Heading>{m.lobby.title}</Heading>
        <p className="dimmed" role="status">
          {moderated ? m.lobby.help : m.lobby.unmoderated}
        </p>
        {capturedTexts(captured).map((text) => (
          <p key={text} role="status">
            {text}
          </p>
        ))}
        <Button variant="default" onClick={meeting.leave}>
          {m.lobby.leave}
        </Button>
      </div>
    </main>
  );
};
