import type { View } from "../../../contract/meeting-socket.ts";
import { m } from "../../texts/meet.ts";

/** This person's request to take part, or the offer to them. */
const upgradeOf = ({ upgrades, you }: View) =>
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

/**
 * What has happened to this person's own part in the meeting.
 *
 * @param hasWithdrawn whether it was this person who ended the request to take part
 */
export const sayOwnPart = (before: View, now: View, hasWithdrawn: boolean): readonly string[] => {
  const isSameRole = before.you.peerType === now.you.peerType;
  const isGone = upgradeOf(before) === "asked" && upgradeOf(now) === undefined;
  return [
    ...(isSameRole ? [] : [sayRole(before, now)]),
    ...(isSameRole && isGone && !hasWithdrawn ? [m.notices.refused] : []),
    ...(now.allowed.promote && !before.allowed.promote ? [m.notices.owner] : []),
  ];
};
