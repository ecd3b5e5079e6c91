import { ActionIcon, Textarea } from "@mantine/core";
import { IconMessage, IconSend } from "@tabler/icons-react";
import { useLayoutEffect, useRef, useState } from "react";
import type { ChatMessage, View } from "../../../contract/meeting-socket.ts";
import { CHAT_TEXT } from "../../../contract/plain.ts";
import { showTime } from "../../data/show.ts";
import { useOnce } from "../../data/use-once.ts";
import { Blank } from "../../parts/states.tsx";
import { m } from "../../texts/meet.ts";
import { meeting, useMeeting } from "../connection.ts";
import css from "../styles/panel.module.css";
import { PanelFrame } from "./panel.tsx";

const ADDRESS = /(https?:\/\/[^\s<>"']+)/;

/** The text, with its addresses as links. */
const Linked = ({ text }: { readonly text: string }) =>
  text.split(ADDRESS).map((part, index) =>
    ADDRESS.test(part) ? (
      <a key={index} href={part} target="_blank" rel="noopener noreferrer">
        {part}
      </a>
    ) : (
      part
    ),
  );

interface MessageProps {
  readonly message: ChatMessage;
  readonly isOwn: boolean;
}

const Message = ({ message, isOwn }: MessageProps) => (
  <li className={css.message} data-own={isOwn || undefined}>
    <p className={css.by}>
      <strong>{isOwn ? m.stage.you : message.peerName}</strong>{" "}
      <time className="dimmed" dateTime={message.sentAt}>
        {showTime(message.sentAt)}
      </time>
    </p>
    <p className={css.said}>
      <Linked text={message.text} />
    </p>
  </li>
);

const Writing = () => {
  const [text, setText] = useState("");
  const send = useOnce(async () => {
    if (text.trim() !== "" && (await meeting.command("chat", { text: text.trim() }))) setText("");
  });
  return (
    <form
      className={css.writing}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Textarea
        aria-label={m.chat.write}
        placeholder={m.chat.write}
        rows={2}
        maxLength={CHAT_TEXT}
        autoFocus
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          void send();
        }}
      />
      <ActionIcon type="submit" size="lg" aria-label={m.chat.send} disabled={text.trim() === ""}>
        <IconSend size={18} />
      </ActionIcon>
    </form>
  );
};

/** What is written during the meeting. */
export const ChatPanel = ({ view }: { readonly view: View }) => {
  const { chat } = useMeeting();
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [chat.length]);
  return (
    <PanelFrame title={m.chat.title} close={m.chat.close}>
      {chat.length === 0 ? (
        <div className={css.list}>
          <Blank icon={IconMessage} title={m.chat.empty}>
            {m.chat.emptyHelp}
          </Blank>
        </div>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
        <ul ref={list} className={css.list} aria-label={m.chat.log} tabIndex={0}>
          {chat.map((message) => (
            <Message
              key={`${message.sentAt} ${message.peerId} ${message.text}`}
              message={message}
              isOwn={message.peerId === view.you.peerId}
            />
          ))}
        </ul>
      )}
      {view.allowed.chat ? <Writing /> : <p className={css.off}>{m.chat.off}</p>}
    </PanelFrame>
  );
};
