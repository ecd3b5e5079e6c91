import { asLines, CHAT_TEXT, isVisible, lengthOf } from "../../../contract/kit/plain.ts";
import { newerThan } from "../../../contract/meeting-client.ts";
import type { ChatMessage } from "../../../contract/meetings/socket.ts";
import type { Store } from "../../kit/store.ts";
import type { Meeting } from "./state.ts";

/** Tells messages apart, also after the socket was opened again: a message may then have another number. */
export const messageKey = ({ sentAt, peerId, text }: ChatMessage): string =>
  `${sentAt} ${peerId} ${text}`;

/** The text of a draft as it would be sent. */
const textOf = asLines;

/** How many characters are left; negative if the message is too long to be sent. */
export const charactersLeft = (draft: string): number => CHAT_TEXT - lengthOf(textOf(draft));

/** Returns whether the draft can be sent: it is neither without anything to see nor too long. */
export const isSendable = (draft: string): boolean =>
  isVisible(textOf(draft)) && charactersLeft(draft) >= 0;

interface ChatOptions {
  readonly store: Store<Meeting>;
  /** Returns false if it fails; the person has then been notified. */
  readonly send: (text: string) => Promise<boolean>;
}

/** The messages of a meeting, the unread ones among them, and the draft. */
export const openChat = ({ store, send }: ChatOptions) => {
  const take = (chat: readonly ChatMessage[], come: readonly ChatMessage[]): void => {
    const { panel, unread, view } = store.get();
    const others = come.filter(({ peerId }) => peerId !== view?.you.peerId);
    store.set({ chat, unread: panel === "chat" ? 0 : unread + others.length });
  };

  /** Messages that were sent, in their order, until all of them have an answer. */
  const sent: { readonly text: string; hasArrived?: boolean }[] = [];

  return {
    /** Messages that have arrived. */
    add: (come: readonly ChatMessage[]): void => take([...store.get().chat, ...come], come),

    /** All messages, at the start and after a lost connection. */
    replace: (all: readonly ChatMessage[]): void => {
      const { chat, stage } = store.get();
      take(all, stage.name === "reconnecting" ? newerThan(chat, all) : []);
    },

    write: (draft: string): void => store.set({ draft }),

    /**
     * Sends what is written, unless it is too long. Messages that fail are back in the draft, before what
     * was written since, once none is without an answer: so they are in their order.
     */
    say: async (): Promise<void> => {
      const { draft: written } = store.get();
      if (!isSendable(written)) return;
      const message: (typeof sent)[number] = { text: textOf(written) };
      sent.push(message);
      store.set({ draft: "" });
      message.hasArrived = await send(message.text);
      if (sent.some(({ hasArrived }) => hasArrived === undefined)) return;
      const back = sent.splice(0).filter(({ hasArrived }) => !hasArrived);
      if (back.length === 0) return;
      const { draft } = store.get();
      const lines = [...back.map(({ text }) => text), ...(draft === "" ? [] : [draft])];
      store.set({ draft: lines.join("\n") });
    },
  };
};
