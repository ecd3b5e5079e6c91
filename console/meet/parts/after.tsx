import { Button, Group } from "@mantine/core";
import { base } from "../../kit/base.ts";
import { useSession } from "../../kit/session.ts";
import { m } from "../../texts/meet.ts";
import type { Ending } from "../call/state.ts";
import { useMeeting } from "../connection.ts";
import { NextMeeting } from "./next-date.tsx";
import { Rating } from "./rating.tsx";

/** The endings of people who were inside, and who are not about to come back. */
const over: ReadonlySet<Ending> = new Set([
  "left",
  "closed",
  "removed",
  "room_deleted",
  "stream_over",
]);

/** Those after which people may come to the next meeting. */
const again: ReadonlySet<Ending> = new Set(["left", "closed", "stream_over"]);

/** Where people go on after a meeting: their rooms, its recording; and how good the connection was. */
export const After = ({ reason }: { readonly reason: Ending }) => {
  const { invitation, lastTicket, wasRecorded } = useMeeting();
  const session = useSession();
  if (!over.has(reason)) return null;
  const isSignedIn = session.state === "signed in";
  const isHost = isSignedIn && invitation?.host === true;
  return (
    <>
      {again.has(reason) && <NextMeeting />}
      {isSignedIn && (
        <Group gap="sm" justify="center" mt="md">
          <Button component="a" href={`${base}/`} variant="default">
            {m.controls.after.rooms}
          </Button>
          {isHost && wasRecorded && (
            <Button component="a" href={`${base}/recordings`} variant="default">
              {m.controls.after.recordings}
            </Button>
          )}
        </Group>
      )}
      {invitation?.rating && lastTicket !== undefined && <Rating ticket={lastTicket} />}
    </>
  );
};
