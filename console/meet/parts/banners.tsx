import { Button } from "@mantine/core";
import { IconPlugConnectedX, IconUserPlus, IconUserUp } from "@tabler/icons-react";
import { useState } from "react";
import type { View } from "../../../contract/meetings/socket.ts";
import { said } from "../../kit/said.tsx";
import { m } from "../../texts/meet.ts";
import { dismiss } from "../call/own-media.ts";
import { upgradeOf } from "../call/own-part.ts";
import type { Meeting } from "../call/state.ts";
import { isDown } from "../call/way.ts";
import { meeting, useMeeting } from "../connection.ts";
import { useHidden } from "../embed/embedding.ts";
import css from "../styles/room.module.css";
import { AnswerButton } from "./answer-button.tsx";
import { useDeviceProblems, useSilentDevices } from "./device-fields.tsx";
import { RecordingBanners } from "./recording-banners.tsx";
import { WarningBanner } from "./warning-banner.tsx";

const see = () => meeting.show("people");

const WaitingBanner = ({ view: { waiting } }: { readonly view: View }) => {
  const [first] = waiting;
  const isHidden = useHidden();
  if (first === undefined) return null;
  const one = waiting.length === 1;
  const admit = () =>
    meeting.command("allowRoomJoin", one ? { requesterPeerId: first.peerId } : { all: true });
  return (
    <div className={css.banner} role="status">
      <IconUserPlus size={18} aria-hidden />
      <span>{said(m.people.waitingNow(waiting.length, first.peerName))}</span>
      <AnswerButton text={one ? m.people.admit : m.people.admitAll} onAnswer={admit} />
      {!isHidden("people") && (
        <Button size="compact-sm" variant="default" onClick={see}>
          {m.people.see}
        </Button>
      )}
    </div>
  );
};

const RequestBanner = ({ view: { upgrades, peers } }: { readonly view: View }) => {
  const asked = upgrades.find(({ state }) => state === "asked");
  const name = peers.find(({ peerId }) => peerId === asked?.peerId)?.peerName;
  if (asked === undefined || name === undefined) return null;
  const answer = (action: "accept" | "refuse") => () =>
    meeting.command("upgradeRequest", { peerId: asked.peerId, action });
  return (
    <div className={css.banner} role="status">
      <IconUserUp size={18} aria-hidden />
      <span>{said(m.people.asksNow(name))}</span>
      <AnswerButton text={m.people.accept} onAnswer={answer("accept")} />
      <AnswerButton variant="default" text={m.people.refuse} onAnswer={answer("refuse")} />
    </div>
  );
};

const OwnUpgradeBanner = ({ view }: { readonly view: View }) => {
  const upgrade = upgradeOf(view);
  if (upgrade === undefined) return null;
  const answer = (action: "take" | "decline" | "withdraw") => () => void meeting.upgrade(action);
  return (
    <div className={css.banner} role="status">
      <IconUserUp size={18} aria-hidden />
      <span>{upgrade === "offered" ? m.upgrade.offered : m.upgrade.asked}</span>
      {upgrade === "offered" ? (
        <>
          <Button size="compact-sm" onClick={answer("take")}>
            {m.upgrade.take}
          </Button>
          <Button size="compact-sm" variant="default" onClick={answer("decline")}>
            {m.upgrade.decline}
          </Button>
        </>
      ) : (
        <Button size="compact-sm" variant="default" onClick={answer("withdraw")}>
          {m.bar.withdraw}
        </Button>
      )}
    </div>
  );
};

const MediaBanner = () => (
  <div className={css.banner} role="alert">
    <IconPlugConnectedX size={18} aria-hidden />
    <span>{m.mediaFailed.help}</span>
    <Button size="compact-sm" onClick={() => location.reload()}>
      {m.mediaFailed.reload}
    </Button>
  </div>
);

/** This person is inside, and not connected for pictures and sound. */
const WayBanner = ({ ownWay }: Pick<Meeting, "ownWay">) =>
  isDown(ownWay) && (
    <div className={css.banner} role="alert">
      <IconPlugConnectedX size={18} aria-hidden />
      <span>
        {m.stage.notConnected} {m.stage[ownWay]}
      </span>
    </div>
  );

/** This is the person's second device, until they have read what that means. */
const SecondDeviceBanner = () => {
  const [isSeen, setSeen] = useState(false);
  return !isSeen && <WarningBanner text={m.second.help} onSeen={() => setSeen(true)} />;
};

/** The reasons why a device that this person may use does not work. */
const DeviceBanners = ({ view: { allowed } }: { readonly view: View }) =>
  useDeviceProblems((device) => allowed[device]).map(({ devices, text }) => (
    <WarningBanner key={text} text={text} onSeen={() => devices.forEach(dismiss)} />
  ));

/** Why nothing comes from a device that is on; ends by itself. */
const SilentBanner = ({ text }: { readonly text: string }) => {
  const [isSeen, setSeen] = useState(false);
  return !isSeen && <WarningBanner text={text} onSeen={() => setSeen(true)} />;
};

const SilentBanners = () =>
  useSilentDevices().map((text) => <SilentBanner key={text} text={text} />);

interface BannersProps {
  readonly view: View;
  /** Unset once this person has seen that the meeting is recorded. */
  readonly onRecordingSeen: (() => void) | undefined;
}

/** The questions that wait for this person's answer, above the stage. */
export const Banners = ({ view, onRecordingSeen }: BannersProps) => {
  const { panel, mediaFailed, ownWay } = useMeeting();
  const isHidden = useHidden();
  return (
    <>
      {mediaFailed && <MediaBanner />}
      <WayBanner ownWay={ownWay} />
      {view.you.secondDevice && <SecondDeviceBanner />}
      <DeviceBanners view={view} />
      <SilentBanners />
      <RecordingBanners view={view} onSeen={onRecordingSeen} />
      {/* The open list of people shows the same requests. */}
      {view.allowed.moderate && (panel !== "people" || isHidden("people")) && (
        <>
          <WaitingBanner view={view} />
          <RequestBanner view={view} />
        </>
      )}
      <OwnUpgradeBanner view={view} />
    </>
  );
};
