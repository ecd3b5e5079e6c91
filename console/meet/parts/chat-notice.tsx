import { useEffect, useState } from "react";
import type { ChatMessage, View } from "../../../contract/meetings/socket.ts";
import { messageKey } from "../call/chat.ts";
import { personInk } from "../call/person-color.ts";
import { meeting, useMeeting } from "../connection.ts";
import { useHidden } from "../embed/embedding.ts";
import css from "../styles/chat-notice.module.css";

/** How long a message stays, in milliseconds: long enough for its first words. */
const STAYS = 6_000;

/** The newest message that has come while the chat was closed, for some seconds. */
const useNewest = (you: string): ChatMessage | undefined => {
  const [newest, setNewest] = useState<ChatMessage>();
  useEffect(() => {
    let before = meeting.get().unread;
    return meeting.subscribe(() => {
      const { unread, chat } = meeting.get();
      if (unread > before) setNewest(chat.findLast(({ peerId }) => peerId !== you));
      before = unread;
    });
  }, [you]);
  useEffect(() => {
    if (newest === undefined) return;
    const timer = setTimeout(() => setNewest(undefined), STAYS);
    return () => clearTimeout(timer);
  }, [newest]);
  return newest;
};

/**
 * The first words of a message that arrives while the chat is closed. Not for screen readers, which
 * read the whole message in the log. Only for messages that are still in the chat.
 */
export const ChatNotice = ({ view: { you, allowed } }: { readonly view: View }) => {
  const { chat, panel } = useMeeting();
  const newest = useNewest(you.peerId);
  if (useHidden()("chat")) return null;
  if (newest === undefined || panel === "chat" || !allowed.chat) return null;
  if (!chat.some((message) => messageKey(message) === messageKey(newest))) return null;
  return (
    <p className={css.notice} data-chat-notice aria-hidden>
      <strong style={{ color: personInk(newest.peerId) }}>
        <bdi>{newest.peerName}</bdi>
      </strong>{" "}
      <bdi>{newest.text}</bdi>
    </p>
  );
};
