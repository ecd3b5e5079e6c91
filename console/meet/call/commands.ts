import type { CommandName, Commands } from "../../../contract/meetings/commands.ts";
import { sayFailure } from "../../kit/client.ts";
import { notify } from "../../kit/notices.tsx";
import type { MeetingSocket } from "./socket.ts";

/** Commands over the meeting's current socket. */
export const openCommands = (socket: () => MeetingSocket | undefined) => {
  /** Sends a command. @throws ParleyError, TypeError as the socket does */
  const send = <K extends CommandName>(name: K, input: Commands[K]): Promise<void> =>
    socket()?.send(name, input) ?? Promise.reject(new TypeError("The meeting has ended"));
  return {
    send,
    /** Sends a command, and notifies the person if it fails. */
    command: async <K extends CommandName>(name: K, input: Commands[K]): Promise<boolean> => {
      try {
        await send(name, input);
        return true;
      } catch (failure) {
        notify({ text: sayFailure(failure), kind: "failed" });
        return false;
      }
    },
  };
};
