import { ActionIcon, Textarea } from "@mantine/core";
import { IconMessage, IconSend } from "@tabler/icons-react";
import { CHAT_TEXT } from "../../../contract/kit/plain.ts";
import type { ChatMessage, View } from "../../../contract/meetings/socket.ts";
import { showTime } from "../../kit/show.ts";
import { Blank } from "../../kit/states.tsx";
import { useBarHeight } from "../../kit/use-bar-height.ts";
import { m } from "../../texts/meet.ts";
import { charactersLeft, isSendable, messageKey } from "../call/chat.ts";
import { personInk } from "../call/person-color.ts";
import { meeting, useMeeting } from "../connection.ts";
import css from "../styles/panel.module.css";
import { Linked } from "./linked.tsx";
import { PanelFrame } from "./panel.tsx";
import { useEnd } from "./use-end.ts";

interface MessageProps {
  readonly message: ChatMessage;
  readonly isOwn: boolean;
}

const Message = ({ message, isOwn }: MessageProps) => (
  <li className={css.message} data-own={isOwn || undefined}>
    <p className={css.by}>
      <strong>
        {isOwn ? (
          m.stage.you
        ) : (
          <bdi style={{ color: personInk(message.peerId) }}>{message.peerName}</bdi>
        )}
      </strong>{" "}
      <time className="dimmed" dateTime={message.sentAt}>
        {showTime(message.sentAt)}
      </time>
    </p>
    <p className={css.said}>
      <Linked text={message.text} />
    </p>
  </li>
);

/** From this length on the page shows how many characters are left. */
const FEW = 200;

const Writing = ({ label }: { readonly label: string }) => {
  const { draft } = useMeeting();
  const left = charactersLeft(draft);
  return (
    <form
      ref={useBarHeight<HTMLFormElement>("--parley-on-bar-height")}
      className={css.writing}
      onSubmit={(event) => {
        event.preventDefault();
        void meeting.say();
      }}
    >
      <Textarea
        aria-label={label}
        placeholder={label}
        rows={2}
        inputWrapperOrder={["input", "description", "error"]}
        description={left >= 0 && left <= FEW ? m.chat.left(left) : undefined}
        error={left < 0 ? m.chat.tooLong(CHAT_TEXT, -left) : undefined}
        errorProps={{ role: "status" }}
        value={draft}
        onChange={(event) => meeting.write(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          void meeting.say();
        }}
      />
      <ActionIcon type="submit" size="lg" aria-label={m.chat.send} disabled={!isSendable(draft)}>
        <IconSend size={18} />
      </ActionIcon>
    </form>
  );
};

/** The chat of the meeting. */
export const ChatPanel = ({ view }: { readonly view: View }) => {
  const { chat } = useMeeting();
  const isForModerators = view.meeting.peopleHidden && !view.allowed.moderate;
  const end = useEnd(chat, chat.at(-1)?.peerId === view.you.peerId);
  return (
    <PanelFrame title={m.chat.title} close={m.chat.close}>
      {chat.length === 0 ? (
        <div className={css.list}>
          <Blank icon={IconMessage} title={m.chat.empty}>
            {isForModerators ? m.chat.emptyHelpModerators : m.chat.emptyHelp}
          </Blank>
        </div>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
        <ul {...end} className={css.list} aria-label={m.chat.log} tabIndex={0}>
          {chat.map((message) => (
            <Message
              key={messageKey(message)}
              message={message}
              isOwn={message.peerId === view.you.peerId}
            />
          ))}
        </ul>
      )}
      {view.allowed.chat ? (
        <Writing label={isForModerators ? m.chat.writeModerators : m.chat.write} />
      ) : (
        <p className={css.off}>{m.chat.off}</p>
      )}
    </PanelFrame>
  );
};
