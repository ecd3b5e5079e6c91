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
  readonly passwordRequired: boolean;
}

/** The room refuses without its password, and the form then asks for it. */
const enterAgain = (): void => {
  meeting.leave();
  void meeting.rejoin();
};

/** Before the door: a moderator decides, or by now the room's password. */
export const LobbyPage = ({ room, moderated, passwordRequired, ...captured }: LobbyPageProps) => (
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
      {passwordRequired && (
        <>
          <p role="status">{m.lobby.password}</p>
          <Button onClick={enterAgain}>{m.lobby.enterPassword}</Button>
        </>
      )}
      <Button variant="default" onClick={meeting.leave}>
        {m.lobby.leave}
      </Button>
    </div>
  </main>
);
