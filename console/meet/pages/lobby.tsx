import { Button, Loader } from "@mantine/core";
import type { Captured, EnteredRoom } from "../../../contract/meetings.ts";
import css from "../../styles/message.module.css";
import { m } from "../../texts/meet.ts";
import { capturedTexts } from "../call/captured.ts";
import { meeting } from "../connection.ts";
import { Heading } from "../parts/heading.tsx";
import { Plan } from "../parts/plan.tsx";

interface LobbyPageProps extends Captured {
  readonly room: EnteredRoom;
  readonly moderated: boolean;
}

/** Before the door: a moderator decides. */
export const LobbyPage = ({ room, moderated, ...captured }: LobbyPageProps) => (
  <main className={css.page}>
    <div className={css.box}>
      <Loader size="md" className={css.mark ?? ""} aria-hidden />
      <p className="dimmed small">{room.name}</p>
      <Heading>{m.lobby.title}</Heading>
      <p className="dimmed" role="status">
        {moderated ? m.lobby.help : m.lobby.unmoderated}
      </p>
      <Plan room={room} />
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
