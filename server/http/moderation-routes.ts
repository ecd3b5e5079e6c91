import { operations } from "../../contract/index.ts";
import { moderation } from "../../contract/meeting-commands.ts";
import { moderateRoom } from "../meetings/moderate.ts";
import { type Route, type Service, scoped } from "./route.ts";

/** What administrators, access keys and owners do in a running meeting from outside. */
export const moderationRoutes = ({ hub }: Pick<Service, "hub">): readonly Route[] =>
  (Object.keys(moderation) as (keyof typeof moderation)[]).map((name) =>
    scoped(operations[name], async ({ input: { roomId, ...input }, organization }) => {
      hub.deliver(await organization.change((c) => moderateRoom(c, name, roomId, input as never)));
      return { success: true };
    }),
  );
