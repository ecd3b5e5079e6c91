import type { Commands } from "../../../contract/meetings/commands.ts";
import type { View } from "../../../contract/meetings/socket.ts";
import { m } from "../../texts/meet.ts";

/** This person's request to take part, or the offer to them. */
export const upgradeOf = ({ upgrades, you }: View) =>
  upgrades.find(({ peerId }) => peerId === you.peerId)?.state;

const sayRole = (before: View, { you, allowed }: View): string => {
  switch (you.peerType) {
    case "moderator":
      return m.notices.moderator;
    case "participant":
      return before.you.peerType === "viewer" ? m.notices.takesPart : m.notices.participant;
    case "viewer":
      return allowed.audio || allowed.video ? m.notices.viewer : m.notices.viewerOnly;
  }
};

type Action = Commands["upgrade"]["action"];

/**
 * This person's own part in the meeting.
 *
 * @param send sends the command; returns whether it was carried out
 */
export const openOwnPart = (send: (action: Action) => Promise<boolean>) => {
  /** True if this person's last action about taking part was to withdraw the request. */
  let hasWithdrawn = false;
  return {
    /** Asks to take part, accepts an offer, or withdraws either. */
    upgrade: async (action: Action): Promise<boolean> => {
      const before = hasWithdrawn;
      hasWithdrawn = action === "withdraw";
      const isDone = await send(action);
      if (!isDone) hasWithdrawn = before;
      return isDone;
    },

    /** The texts about changes of it. */
    say: (before: View, now: View): readonly string[] => {
      const isSameRole = before.you.peerType === now.you.peerType;
      const isGone = upgradeOf(before) === "asked" && upgradeOf(now) === undefined;
      return [
        ...(isSameRole ? [] : [sayRole(before, now)]),
        ...(isSameRole && isGone && !hasWithdrawn ? [m.notices.refused] : []),
        ...(now.allowed.promote && !before.allowed.promote ? [m.notices.owner] : []),
      ];
    },
  };
};
