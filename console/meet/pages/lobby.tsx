import { Button, Loader } from "@mantine/core";
import css from "../../styles/message.module.css";
import { m } from "../../texts/meet.ts";
import { meeting, useMeeting } from "../connection.ts";
import { Heading } from "../parts/heading.tsx";

/** Before the door: a moderator decides. */
export const LobbyPage = ({
  moderated,
  recording,
}: {
  readonly moderated: boolean;
  readonly recording: boolean;
}) => {
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
        {recording && <p role="status">{m.recording.before}</p>}
        <Button variant="default" onClick={meeting.leave}>
          {m.lobby.leave}
        </Button>
      </div>
    </main>
  );
};
