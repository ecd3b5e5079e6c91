import { ActionIcon, Menu, Radio, Stack } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { useState } from "react";
import type { Peer } from "../../../contract/meeting-socket.ts";
import { peerTypes } from "../../../contract/meetings.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { m } from "../../texts/meet.ts";
import { meeting } from "../connection.ts";

type Ban = keyof typeof m.people.bans;

interface RemoveDialogProps {
  readonly peer: Peer;
  readonly onClose: () => void;
}

const RemoveDialog = ({ peer, onClose }: RemoveDialogProps) => {
  const [ban, setBan] = useState<Ban>("no");
  return (
    <Confirm
      title={m.people.removeTitle(peer.peerName)}
      confirm={m.people.remove}
      danger
      onConfirm={() => meeting.send("removePeer", { peerId: peer.peerId, ban })}
      onClose={onClose}
    >
      <p>{m.people.removeHelp}</p>
      <Radio.Group
        label={m.people.ban}
        value={ban}
        onChange={(chosen) => setBan(chosen as Ban)}
        mt="md"
      >
        <Stack gap="xs" mt="xs">
          {Object.entries(m.people.bans).map(([value, label]) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </Stack>
      </Radio.Group>
      <p className="dimmed small">{m.people.banHelp}</p>
    </Confirm>
  );
};

interface PeerMenuProps {
  readonly peer: Peer;
  /** Whether the person is invited to take part already. */
  readonly isOffered: boolean;
}

const media = [
  { type: "audio", text: m.people.mute },
  { type: "video", text: m.people.endVideo },
  { type: "share", text: m.people.endShare },
] as const;

/** What a moderator can do about one person. */
export const PeerMenu = ({ peer, isOffered }: PeerMenuProps) => {
  const [isRemoving, setRemoving] = useState(false);
  const { peerId, peerName, peerType } = peer;
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
            .filter(({ type }) => peer[type])
            .map(({ type, text }) => (
              <Menu.Item
                key={type}
                onClick={() => void meeting.command("mutePeer", { peerId, type })}
              >
                {text}
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
      {isRemoving && <RemoveDialog peer={peer} onClose={() => setRemoving(false)} />}
    </>
  );
};
