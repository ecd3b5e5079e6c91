import { Button, Group } from "@mantine/core";
import { m } from "../../texts/meet.ts";
import type { Invitation } from "../call/state.ts";
import { meeting } from "../connection.ts";

/** The person is in the meeting on another device: whether to leave that one, or to join with this one too. */
export const Elsewhere = ({ invitation }: { readonly invitation: Invitation }) => {
  // Both seats of a room for two are for people.
  const hasSeconds = invitation.roomType !== "p2p";
  return (
    <>
      {hasSeconds ? m.second.offer : m.second.already}
      <Group gap="xs" mt="sm">
        <Button size="compact-sm" onClick={() => void meeting.joinBeside(false)}>
          {m.second.takeOver}
        </Button>
        {hasSeconds && (
          <Button size="compact-sm" variant="default" onClick={() => void meeting.joinBeside(true)}>
            {m.second.join}
          </Button>
        )}
      </Group>
    </>
  );
};
