import { Button, Group } from "@mantine/core";
import { base } from "../../kit/base.ts";
import { useSession } from "../../kit/session.ts";
import { m } from "../../texts/meet.ts";

/** Links for a signed-in person on a page that ends here; nothing for guests. */
export const OwnPlaces = () => {
  const session = useSession();
  if (session.state !== "signed in") return null;
  return (
    <Group gap="xs" mt="sm">
      <Button component="a" href={`${base}/rooms`} variant="default">
        {m.failed.myRooms}
      </Button>
      <Button component="a" href={`${base}/recordings`} variant="default">
        {m.failed.myRecordings}
      </Button>
    </Group>
  );
};
