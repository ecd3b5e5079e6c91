import { ActionIcon, Menu } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { useState } from "react";
import { peerTypes } from "../../../contract/kit/plain.ts";
import type { Peer } from "../../../contract/meetings/socket.ts";
import { RemovePerson } from "../../meetings/remove-person.tsx";
import { m } from "../../texts/meet.ts";
import { meeting, useMeeting } from "../connection.ts";

interface PeerMenuProps {
  readonly peer: Peer;
  /** True if the person has already been invited to take part. */
  readonly isOffered: boolean;
}

const media = [
  { type: "audio", text: m.people.mute },
  { type: "video", text: m.people.endVideo },
  { type: "share", text: m.people.endShare },
] as const;

/** The actions of a moderator on one person. */
export const PeerMenu = ({ peer, isOffered }: PeerMenuProps) => {
  const [isRemoving, setRemoving] = useState(false);
  const { view } = useMeeting();
  const { peerId, peerName, peerType } = peer;
  // The only presenter keeps others from sharing, even without a shared screen.
  const taken = { ...peer, share: peer.share || view?.meeting.presenter === peerId };
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={m.people.actions(peerName)}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {media
            .filter(({ type }) => taken[type])
            .map(({ type, text }) => (
              <Menu.Item
                key={type}
                onClick={() => void meeting.command("mutePeer", { peerId, type })}
              >
                {type === "share" && !peer.share ? m.people.freePresenter : text}
              </Menu.Item>
            ))}
          {peerType === "viewer" && !isOffered && (
            <Menu.Item
              onClick={() => void meeting.command("upgradeRequest", { peerId, action: "offer" })}
            >
              {m.people.offer}
            </Menu.Item>
          )}
          {peerTypes
            .filter((role) => role !== peerType)
            .map((role) => (
              <Menu.Item
                key={role}
                onClick={() => void meeting.command("changePeer", { peerId, peerType: role })}
              >
                {m.people.make(role)}
              </Menu.Item>
            ))}
          <Menu.Divider />
          <Menu.Item data-danger onClick={() => setRemoving(true)}>
            {m.people.remove}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isRemoving && (
        <RemovePerson
          name={peerName}
          onRemove={(ban) => meeting.send("removePeer", { peerId, ban })}
          onClose={() => setRemoving(false)}
        />
      )}
    </>
  );
};
