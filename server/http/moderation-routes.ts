import { operations } from "../../contract/index.ts";
import { moderation } from "../../contract/meeting-commands.ts";
import type { Operation } from "../../contract/operation.ts";
import { moderateRoom } from "../meetings/moderate.ts";
import { type Route, type Service, scoped } from "./route.ts";

type Name = keyof typeof moderation;

/** What administrators, access keys and owners do in a running meeting from outside. */
export const moderationRoutes = ({ hub }: Pick<Service, "hub">): readonly Route[] =>
  (Object.keys(moderation) as Name[]).map((name) =>
    scoped<Operation>(operations[name], async ({ input, organization }) => {
      const { roomId, ...rest } = input as { readonly roomId: string };
      hub.deliver(await organization.change((c) => moderateRoom(c, name, roomId, rest as never)));
      return { success: true };
    }),
  );
