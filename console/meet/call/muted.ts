import type { ServerMessage } from "../../../contract/meetings/socket.ts";
import { notify } from "../../kit/notices.tsx";
import { m } from "../../texts/meet.ts";
import { silence } from "./own-media.ts";

/** Turns off the media that a moderator has ended, and notifies the person of those that were on. */
export const beMuted = ({
  media,
  by,
  entering,
}: Extract<ServerMessage, { type: "muted" }>): void => {
  const ended = silence(media);
  if (entering) notify({ text: m.controls.enteredMuted });
  else if (ended.length > 0) notify({ text: m.notices.muted(by, ended) });
};
