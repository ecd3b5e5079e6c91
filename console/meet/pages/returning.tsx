import { m } from "../../texts/meet.ts";
import { useMeeting } from "../connection.ts";
import { Heading } from "../parts/heading.tsx";
import { MessagePage } from "../parts/message-page.tsx";

/** After a reload: the page returns to its meeting by itself. */
export const ReturningPage = () => {
  const { invitation } = useMeeting();
  return (
    <MessagePage waits room={invitation?.name}>
      <Heading>{m.returning.title}</Heading>
      <p className="dimmed" role="status">
        {m.returning.help}
      </p>
    </MessagePage>
  );
};
