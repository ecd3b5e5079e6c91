import { Menu } from "@mantine/core";
import {
  IconCopy,
  IconDoorExit,
  IconDots,
  IconExternalLink,
  IconEye,
  IconEyeOff,
  IconHandStop,
  IconKeyboard,
  IconLayoutGrid,
  IconLock,
  IconLockOpen,
  IconMicrophone,
  IconMicrophoneOff,
  IconScreenShare,
  IconSettings,
  IconUserShield,
  IconUserUp,
} from "@tabler/icons-react";
import type { View } from "../../../contract/meetings/socket.ts";
import type { MeetingLayout } from "../../embed/protocol.ts";
import { guestLinksOf } from "../../kit/brand.tsx";
import { copyUrl } from "../../kit/copy-link.tsx";
import { notify } from "../../kit/notices.tsx";
import { m } from "../../texts/meet.ts";
import { onlyWatches } from "../call/hands.ts";
import { canShare } from "../call/own-media.ts";
import { upgradeOf } from "../call/own-part.ts";
import { linkFor } from "../call/seat.ts";
import { meeting, useMeeting, useOwnMedia } from "../connection.ts";
import { useHidden } from "../embed/embedding.ts";
import css from "../styles/bar.module.css";
import { CaptionsItem, LiveItems } from "./live.tsx";
import { RecordItem } from "./record-item.tsx";
import { RoundButton } from "./round-button.tsx";

export type RoomDialog = "keys" | "devices" | "end" | "stream" | "transcribe" | undefined;

export interface BarProps {
  readonly view: View;
  readonly mode: MeetingLayout;
  readonly onDialog: (dialog: RoomDialog) => void;
}

/** For people who are distracted by their own picture; others still see it. */
const HideSelfItem = () => {
  const { hidesSelf } = useMeeting();
  return (
    <Menu.Item
      leftSection={hidesSelf ? <IconEye size={18} /> : <IconEyeOff size={18} />}
      onClick={() => meeting.hideSelf(!hidesSelf)}
    >
      {hidesSelf ? m.controls.showSelf : m.controls.hideSelf}
    </Menu.Item>
  );
};

const NarrowItems = ({ view: { allowed, you }, mode }: BarProps) => {
  const isHidden = useHidden();
  const hand = you.hand !== null;
  const { share } = useOwnMedia();
  return (
    <>
      {allowed.share && canShare() && !isHidden("share") && (
        <Menu.Item
          leftSection={<IconScreenShare size={18} />}
          onClick={() => void meeting.toggleShare()}
        >
          {share ? m.bar.stopShare : m.bar.share}
        </Menu.Item>
      )}
      {!isHidden("hand") && (
        <Menu.Item
          leftSection={<IconHandStop size={18} />}
          onClick={() => void meeting.toggleHand()}
        >
          {hand ? m.bar.lower : m.bar.raise}
        </Menu.Item>
      )}
      {!isHidden("layout") && (
        <Menu.Item
          leftSection={<IconLayoutGrid size={18} />}
          onClick={() => meeting.toggleLayout()}
        >
          {mode === "grid" ? m.bar.speaker : m.bar.grid}
        </Menu.Item>
      )}
      <Menu.Divider />
    </>
  );
};

const ModeratorItems = ({ view, onDialog }: BarProps) => {
  const { locked } = view.meeting;
  const isHidden = useHidden();
  return (
    <>
      <Menu.Divider />
      {view.recorder !== null && !isHidden("record") && <RecordItem recorder={view.recorder} />}
      <Menu.Item
        leftSection={locked ? <IconLockOpen size={18} /> : <IconLock size={18} />}
        onClick={() => void meeting.command("lockRoom", { action: locked ? "unlock" : "lock" })}
      >
        {locked ? m.bar.unlock : m.bar.lock}
      </Menu.Item>
      <Menu.Item
        leftSection={
          view.meeting.mutesEntry ? <IconMicrophone size={18} /> : <IconMicrophoneOff size={18} />
        }
        onClick={() => void meeting.command("muteOnEntry", { on: !view.meeting.mutesEntry })}
      >
        {view.meeting.mutesEntry ? m.controls.allowOnEntry : m.controls.muteOnEntry}
      </Menu.Item>
      <LiveItems
        view={view}
        onStream={() => onDialog("stream")}
        onTranscribe={() => onDialog("transcribe")}
      />
      {!isHidden("end") && (
        <Menu.Item
          leftSection={<IconDoorExit size={18} />}
          data-danger
          onClick={() => onDialog("end")}
        >
          {m.bar.endForAll}
        </Menu.Item>
      )}
    </>
  );
};

const UpgradeItem = ({ view }: BarProps) => {
  const upgrade = upgradeOf(view);
  // The banner with the offer has the answers.
  if (upgrade === "offered") return null;
  const isAsked = upgrade === "asked";
  return (
    <Menu.Item
      leftSection={<IconUserUp size={18} />}
      onClick={() => void meeting.upgrade(isAsked ? "withdraw" : "ask")}
    >
      {isAsked ? m.bar.withdraw : m.bar.askUpgrade}
    </Menu.Item>
  );
};

/** Copies the link for everybody else, and says so. */
export const copyLink = async ({ room }: View): Promise<void> => {
  if (await copyUrl(await linkFor(room))) notify({ text: m.bar.linkCopied });
};

/** The organization's links. */
const OrganizationItems = () => {
  const { invitation } = useMeeting();
  return guestLinksOf(invitation?.brand).map(({ address, label }) => (
    <Menu.Item
      key={label}
      component="a"
      href={address}
      target="_blank"
      rel="noreferrer"
      leftSection={<IconExternalLink size={18} />}
    >
      {label}
    </Menu.Item>
  ));
};

/** Actions that are needed less often. */
export const MoreMenu = (props: BarProps & { readonly isNarrow: boolean }) => {
  const { view, onDialog, isNarrow } = props;
  const isHidden = useHidden();
  return (
    <Menu position="top-end" withinPortal>
      <Menu.Target>
        <RoundButton label={m.bar.more} icon={IconDots} />
      </Menu.Target>
      <Menu.Dropdown className={css.menu ?? ""}>
        {isNarrow && <NarrowItems {...props} />}
        {view.allowed.upgrade && <UpgradeItem {...props} />}
        {view.allowed.promote && (
          <Menu.Item
            leftSection={<IconUserShield size={18} />}
            onClick={() => void meeting.command("promote", {})}
          >
            {m.bar.promote}
          </Menu.Item>
        )}
        {!isHidden("link") && (
          <Menu.Item leftSection={<IconCopy size={18} />} onClick={() => void copyLink(view)}>
            {m.bar.copyLink}
          </Menu.Item>
        )}
        <CaptionsItem view={view} />
        {!onlyWatches(view.room, view.you) && <HideSelfItem />}
        <Menu.Item leftSection={<IconSettings size={18} />} onClick={() => onDialog("devices")}>
          {m.bar.devices}
        </Menu.Item>
        <Menu.Item leftSection={<IconKeyboard size={18} />} onClick={() => onDialog("keys")}>
          {m.bar.keys}
        </Menu.Item>
        <OrganizationItems />
        {view.allowed.moderate && <ModeratorItems {...props} />}
      </Menu.Dropdown>
    </Menu>
  );
};
