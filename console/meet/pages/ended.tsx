import { Button } from "@mantine/core";
import type { EndReason } from "../../../contract/meeting-socket.ts";
import css from "../../styles/message.module.css";
import { m } from "../../texts/meet.ts";
import { meeting, useMeeting } from "../connection.ts";
import { Heading } from "../parts/heading.tsx";

/** After these the person may come back. */
const mayReturn: readonly EndReason[] = ["left", "removed", "lost", "moved"];

interface EndedPageProps {
  readonly reason: EndReason;
  /** What the service, or the moderator who ended the meeting, says. */
  readonly message: string;
}

/** After the meeting: why, and the way back where there is one. */
export const EndedPage = ({ reason, message }: EndedPageProps) => {
  const { invitation } = useMeeting();
  const { title, help } = m.ended[reason];
  return (
    <main className={css.page}>
      <div className={css.box}>
        <img src="/icon.svg" alt="" className={css.mark} />
        <p className="dimmed small">{invitation?.name}</p>
        <Heading>{title}</Heading>
        {(message || help) && <p className="dimmed">{message || help}</p>}
        {reason === "signed_out" && (
          <Button onClick={() => location.reload()}>{m.before.signIn}</Button>
        )}
        {mayReturn.includes(reason) && (
          <Button onClick={() => void meeting.rejoin()}>
            {reason === "moved" ? m.leave.bring : m.leave.rejoin}
          </Button>
        )}
      </div>
    </main>
  );
};
