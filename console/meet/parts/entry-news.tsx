import { Alert } from "@mantine/core";
import { ParleyError } from "../../kit/client.ts";
import { m } from "../../texts/meet.ts";
import { capturedTexts } from "../call/captured.ts";
import type { Invitation } from "../call/state.ts";
import { useMeeting } from "../connection.ts";
import css from "../styles/before.module.css";

interface NewsProps {
  readonly invitation: Invitation;
}

/** Returns whether a lock keeps this person out: hosts pass it. */
export const isShutTo = ({ locked, host }: Invitation): boolean => locked && !host;

/** That nobody comes in now; after a try, what the service has answered says so. */
export const LockedNews = ({ invitation }: NewsProps) => {
  const { failure } = useMeeting();
  const isTold = failure instanceof ParleyError && failure.code === "room_locked";
  return (
    isShutTo(invitation) &&
    !isTold && (
      <Alert color="orange" variant="light" role="status" className={css.news ?? ""}>
        {m.before.locked}
      </Alert>
    )
  );
};

/** The people who see, hear and read those inside, besides each other: beside the button that enters. */
export const CapturedNews = ({ invitation }: NewsProps) => {
  const told = capturedTexts(invitation);
  return (
    told.length > 0 && (
      <Alert color="orange" variant="light" role="status" className={css.news ?? ""}>
        {told.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </Alert>
    )
  );
};
