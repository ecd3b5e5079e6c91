import { Menu } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import {
  IconChevronUp,
  IconDoorExit,
  IconHandOff,
  IconHandStop,
  IconLayoutGrid,
  IconLayoutSidebarRight,
  IconMessage,
  IconMicrophone,
  IconMicrophoneOff,
  IconPhoneOff,
  IconScreenShare,
  IconScreenShareOff,
  IconUsers,
  IconVideo,
  IconVideoOff,
} from "@tabler/icons-react";
import { showRow } from "../../kit/show.ts";
import { useBarHeight } from "../../kit/use-bar-height.ts";
import { m } from "../../texts/meet.ts";
import { handsUp } from "../call/hands.ts";
import { seesEverybody } from "../call/media.ts";
import { canShare, whatIsOn } from "../call/own-media.ts";
import { comesFrom } from "../call/silence.ts";
import { meeting, useMeeting, useOwnMedia } from "../connection.ts";
import { useHidden } from "../embed/embedding.ts";
import css from "../styles/bar.module.css";
import { type BarProps, MoreMenu } from "./more-menu.tsx";
import { RoundButton } from "./round-button.tsx";

/** Beside Leave, for moderators: leave, or end the meeting for everybody. */
const EndMenu = ({ onEnd }: { readonly onEnd: () => void }) => (
  <Menu position="top-end" withinPortal>
    <Menu.Target>
      <RoundButton label={m.controls.endMore} icon={IconChevronUp} />
    </Menu.Target>
    <Menu.Dropdown>
      <Menu.Item leftSection={<IconPhoneOff size={18} />} onClick={() => meeting.leave()}>
        {m.controls.leaveOnly}
      </Menu.Item>
      <Menu.Item leftSection={<IconDoorExit size={18} />} data-danger onClick={onEnd}>
        {m.bar.endForAll}
      </Menu.Item>
    </Menu.Dropdown>
  </Menu>
);

const DeviceButtons = ({ view: { allowed, you } }: Pick<BarProps, "view">) => {
  const own = useOwnMedia();
  const { audio, video, silent } = own;
  const isOn = whatIsOn(own);
  const comes = comesFrom(own);
  const noSound = you.secondDevice ? m.second.noSound : m.bar.notAllowed.audio;
  const sayMute = silent.audio ? m.bar.isSilent(m.bar.mute) : m.bar.mute;
  const sayCameraOff = silent.video ? m.bar.isSilent(m.bar.cameraOff) : m.bar.cameraOff;
  return (
    <>
      <RoundButton
        label={!allowed.audio ? noSound : isOn.audio ? sayMute : m.bar.unmute}
        icon={comes.audio ? IconMicrophone : IconMicrophoneOff}
        isOff={audio === null}
        isSilent={silent.audio !== undefined}
        disabled={!allowed.audio}
        shortcut="M"
        onClick={() => meeting.toggle("audio")}
      />
      <RoundButton
        label={!allowed.video ? m.bar.notAllowed.video : isOn.video ? sayCameraOff : m.bar.cameraOn}
        icon={comes.video ? IconVideo : IconVideoOff}
        isOff={video === null}
        isSilent={silent.video !== undefined}
        disabled={!allowed.video}
        shortcut="V"
        onClick={() => meeting.toggle("video")}
      />
    </>
  );
};

/** Buttons that fit only in a wide window; otherwise they are in the menu. */
const WideButtons = ({ view: { allowed, you }, mode }: BarProps) => {
  const isHidden = useHidden();
  const hand = you.hand !== null;
  const { share } = useOwnMedia();
  return (
    <>
      {allowed.share && canShare() && !isHidden("share") && (
        <RoundButton
          label={share ? m.bar.stopShare : m.bar.share}
          icon={share ? IconScreenShareOff : IconScreenShare}
          isOn={share !== null}
          shortcut="S"
          onClick={() => void meeting.toggleShare()}
        />
      )}
      {!isHidden("hand") && (
        <RoundButton
          label={hand ? m.bar.lower : m.bar.raise}
          icon={hand ? IconHandOff : IconHandStop}
          isOn={hand}
          shortcut="H"
          onClick={() => void meeting.toggleHand()}
        />
      )}
      {!isHidden("layout") && (
        <RoundButton
          label={mode === "grid" ? m.bar.speaker : m.bar.grid}
          icon={mode === "grid" ? IconLayoutSidebarRight : IconLayoutGrid}
          shortcut="L"
          onClick={() => meeting.toggleLayout()}
        />
      )}
    </>
  );
};

/** The button of the list of people, with how many are inside, wait, and raise a hand. */
const sayPeople = (count: number, waiting: number, hands: number): string => {
  const { bar } = m;
  if (waiting > 0 && hands > 0) return bar.peopleBoth(count, waiting + hands, waiting, hands);
  if (waiting > 0) return bar.peopleWaiting(count, waiting);
  return hands > 0 ? bar.peopleHands(count, hands) : bar.people(count);
};

/** The buttons below the stage. */
export const Bar = (props: BarProps) => {
  const { view } = props;
  const { panel, unread } = useMeeting();
  const isNarrow = useMediaQuery("(max-width: 36em)") ?? false;
  const isHidden = useHidden();
  // Moderators see them wherever they look.
  const hands = view.allowed.moderate ? handsUp(view).length : 0;
  const show = (wanted: "people" | "chat") => meeting.show(panel === wanted ? "none" : wanted);
  return (
    <footer className={css.bar} ref={useBarHeight<HTMLElement>()}>
      <DeviceButtons view={view} />
      {!isNarrow && <WideButtons {...props} />}
      {!isHidden("people") && (
        <RoundButton
          label={
            seesEverybody(view)
              ? sayPeople(view.peers.length + 1, view.waiting.length, hands)
              : m.people.title
          }
          icon={IconUsers}
          expanded={panel === "people"}
          count={view.waiting.length + hands}
          shortcut="P"
          onClick={() => show("people")}
        />
      )}
      {!isHidden("chat") && (
        <RoundButton
          label={unread > 0 ? showRow([m.bar.chat, m.bar.unread(unread)]) : m.bar.chat}
          icon={IconMessage}
          expanded={panel === "chat"}
          count={unread}
          shortcut="C"
          onClick={() => show("chat")}
        />
      )}
      <MoreMenu {...props} isNarrow={isNarrow} />
      <RoundButton label={m.bar.leave} icon={IconPhoneOff} danger onClick={() => meeting.leave()} />
      {view.allowed.moderate && !isNarrow && !isHidden("end") && (
        <EndMenu onEnd={() => props.onDialog("end")} />
      )}
    </footer>
  );
};
