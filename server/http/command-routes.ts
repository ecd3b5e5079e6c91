import { operations as o } from "../../contract/index.ts";
import { stopRecordingOf } from "../recordings/commands.ts";
import { changing, type Route, type Service } from "./route.ts";

const ok = { success: true } as const;

/** The operations by which administrators, access keys and owners act in a running meeting from outside. */
export const commandRoutes = ({
  commands,
  hub,
}: Pick<Service, "commands" | "hub">): readonly Route[] => [
  ...Object.values(commands).flatMap(
    ({ bind }) =>
      bind?.((operation, act, answer) => [
        changing(operation, ({ input }) => ({
          rule: (change) => act(change, input),
          answer: ({ result }) => answer(result),
          after: ({ messages }) => hub.deliver(messages),
        })),
      ]) ?? [],
  ),
  changing(o.stopRecording, ({ input }) => ({
    rule: (change) => stopRecordingOf(change, input),
    answer: (recording) => ({ ...ok, recording }),
  })),
];
