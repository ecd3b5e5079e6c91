import { Button } from "@mantine/core";
import { useState } from "react";
import type { Captured, EnteredRoom } from "../../../contract/meetings/meetings.ts";
import { sayFailure } from "../../kit/client.ts";
import { PasswordField } from "../../kit/password-field.tsx";
import { useOnce } from "../../kit/use-once.ts";
import { m } from "../../texts/meet.ts";
import { capturedTexts } from "../call/captured.ts";
import { meeting, useMeeting } from "../connection.ts";
import { Heading } from "../parts/heading.tsx";
import { MessageForm, MessagePage } from "../parts/message-page.tsx";
import { AgendaAndDate } from "../parts/plan.tsx";

interface LobbyPageProps extends Captured {
  readonly room: EnteredRoom;
  readonly moderated: boolean;
  readonly passwordRequired: boolean;
  readonly waitsFor: "moderator" | "host" | "seat";
  readonly isLost?: boolean;
}

/** By now the room's password lets people in without a moderator. */
const PasswordForm = () => {
  const { failure } = useMeeting();
  const [password, setPassword] = useState("");
  const [isEntering, setEntering] = useState(false);
  const submit = useOnce(async () => {
    setEntering(true);
    await meeting.enterWith(password);
    setEntering(false);
  });
  return (
    <MessageForm onSubmit={() => void submit()}>
      <p role="status">{m.lobby.password}</p>
      <PasswordField
        label={m.before.password}
        name="room-password"
        autoComplete="off"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={failure === undefined ? undefined : sayFailure(failure)}
      />
      <Button type="submit" fullWidth loading={isEntering}>
        {m.before.join}
      </Button>
    </MessageForm>
  );
};

/** The texts for what the person waits for. */
const textsFor = (waitsFor: LobbyPageProps["waitsFor"], moderated: boolean) =>
  waitsFor === "moderator"
    ? { title: m.lobby.title, help: moderated ? m.lobby.help : m.lobby.unmoderated }
    : m.lobby[waitsFor];

/** Before the door: a moderator decides, or by now the room's password; or they come in by themselves. */
export const LobbyPage = ({
  room,
  moderated,
  passwordRequired,
  waitsFor,
  isLost,
  ...captured
}: LobbyPageProps) => (
  <MessagePage waits room={room.name}>
    <Heading>{textsFor(waitsFor, moderated).title}</Heading>
    <p className="dimmed" role="status">
      {textsFor(waitsFor, moderated).help}
    </p>
    {isLost && <p role="alert">{m.lobby.lost}</p>}
    <AgendaAndDate room={room} withCalendar={waitsFor === "host"} />
    {capturedTexts(captured).map((text) => (
      <p key={text} role="status">
        {text}
      </p>
    ))}
    {passwordRequired && <PasswordForm />}
    <Button variant="default" onClick={() => meeting.leave()}>
      {m.lobby.leave}
    </Button>
  </MessagePage>
);
