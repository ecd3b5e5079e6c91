import { operations } from "../../contract/index.ts";
import type { Operation } from "../../contract/kit/operation.ts";
import { moderation } from "../../contract/meetings/commands.ts";
import { moderateRoom } from "../meetings/socket/moderate.ts";
import { changing, type Route, type Service } from "./route.ts";

type Name = keyof typeof moderation;

/** What administrators, access keys and owners do in a running meeting from outside. */
export const moderationRoutes = ({ hub }: Pick<Service, "hub">): readonly Route[] =>
  (Object.keys(moderation) as Name[]).map((name) =>
    changing(operations[name] as Operation & { readonly changes: true }, ({ input }) => {
      const { roomId, ...rest } = input as { readonly roomId: string };
      return {
        rule: (change) => moderateRoom(change, name, roomId, rest as never),
        answer: () => ({ success: true }),
        after: hub.deliver,
      };
    }),
  );
