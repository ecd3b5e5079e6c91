import { Button } from "@mantine/core";
import { useState } from "react";
import { sayFailure } from "../../kit/client.ts";
import { useOnce } from "../../kit/use-once.ts";
import { t } from "../../texts/index.ts";
import { m } from "../../texts/meet.ts";
import type { Ending } from "../call/state.ts";
import { meeting, useMeeting } from "../connection.ts";
import { After } from "../parts/after.tsx";
import { GoOn } from "../parts/go-on.tsx";
import { Heading } from "../parts/heading.tsx";
import { MessagePage } from "../parts/message-page.tsx";

/** The texts of the end, by its reason. */
const endings: Readonly<Record<Ending, { readonly title: string; readonly help?: string }>> =
  m.ended;

/** How the person may come back; not after every ending. */
const waysBack: { readonly [E in Ending]?: string } = {
  left: m.leave.rejoin,
  removed: m.leave.rejoin,
  lost: m.leave.rejoin,
  blocked: t.actions.tryAgain,
  moved: m.leave.bring,
  lobby_full: m.before.ask,
  stopped_waiting: m.before.ask,
};

interface EndedPageProps {
  readonly reason: Ending;
  /** The words of the service, or of the moderator who ended the meeting. */
  readonly message: string;
}

/** After the meeting: the reason, and the way back if there is one. */
export const EndedPage = ({ reason, message }: EndedPageProps) => {
  const { invitation, failure } = useMeeting();
  const [isEntering, setEntering] = useState(false);
  const rejoin = useOnce(async () => {
    setEntering(true);
    await meeting.rejoin(reason === "moved");
    setEntering(false);
  });
  const { title, help } = endings[reason];
  const wayBack = waysBack[reason];
  const leadsOn = invitation?.returnUrl !== undefined;
  return (
    <MessagePage room={invitation?.name}>
      <Heading>{title}</Heading>
      {(message || help) && (
        <p className="dimmed">
          <bdi>{message || help}</bdi>
        </p>
      )}
      {reason === "signed_out" && (
        <Button onClick={() => location.reload()}>{m.before.signIn}</Button>
      )}
      {reason === "stream_over" && (
        <Button onClick={() => void meeting.leaveStream()}>{m.watching.toMeeting}</Button>
      )}
      <GoOn reason={reason} />
      {failure !== undefined && <p role="status">{sayFailure(failure)}</p>}
      {wayBack && (
        <Button
          variant={reason === "removed" || (leadsOn && reason === "left") ? "subtle" : "filled"}
          loading={isEntering}
          onClick={() => void rejoin()}
        >
          {wayBack}
        </Button>
      )}
      <After reason={reason} />
    </MessagePage>
  );
};
