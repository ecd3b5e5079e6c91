import { Loader } from "@mantine/core";
import { IconEye, IconLock } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import type { View } from "../../../contract/meetings/socket.ts";
import { m } from "../../texts/meet.ts";
import { onlyWatches } from "../call/hands.ts";
import { seesEverybody } from "../call/media.ts";
import { layoutOf } from "../call/state.ts";
import { useMeeting } from "../connection.ts";
import { useHidden } from "../embed/embedding.ts";
import { Banners } from "../parts/banners.tsx";
import { Bar } from "../parts/bar.tsx";
import { ChatPanel } from "../parts/chat-panel.tsx";
import { RoomDialogs } from "../parts/dialogs.tsx";
import { Heading } from "../parts/heading.tsx";
import { Captions, LiveStates } from "../parts/live.tsx";
import type { RoomDialog } from "../parts/more-menu.tsx";
import { PeoplePanel } from "../parts/people-panel.tsx";
import { PlanButton } from "../parts/plan.tsx";
import { Sounds } from "../parts/sounds.tsx";
import { StageView } from "../parts/stage.tsx";
import { useKeptFocus } from "../parts/use-kept-focus.ts";
import { useKeys } from "../parts/use-keys.ts";
import { OwnQualityBanner } from "../parts/warning-banner.tsx";
import css from "../styles/room.module.css";

interface RoomPageProps {
  readonly view: View;
  /** True while the connection is lost. */
  readonly isLost: boolean;
}

/**
 * The notice that the meeting is recorded: a banner until this person has dismissed it, then a word in the
 * header. Dismissing the notice about one recording does not dismiss the next one's.
 */
const useRecordingNotice = (isRecorded: boolean) => {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (!isRecorded) setSeen(false);
  }, [isRecorded]);
  return { isSeen: isRecorded && isSeen, see: () => setSeen(true) };
};

/** Keeps the screen on while somebody is in a meeting. */
const useWakeLock = (): void => {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined;
    let isOver = false;
    const ask = async (): Promise<void> => {
      if (document.visibilityState !== "visible") return;
      try {
        lock = await navigator.wakeLock?.request("screen");
        if (isOver) void lock?.release();
      } catch {
        // The device refuses on a low battery.
      }
    };
    void ask();
    document.addEventListener("visibilitychange", ask);
    return () => {
      isOver = true;
      document.removeEventListener("visibilitychange", ask);
      void lock?.release();
    };
  }, []);
};

/** A meeting, from inside. */
export const RoomPage = ({ view, isLost }: RoomPageProps) => {
  const now = useMeeting();
  const { panel } = now;
  const mode = layoutOf(now, view);
  const isHidden = useHidden();
  const viewers = seesEverybody(view)
    ? [view.you, ...view.peers].filter((one) => onlyWatches(view.room, one)).length
    : 0;
  const [dialog, setDialog] = useState<RoomDialog>();
  const notice = useRecordingNotice(view.meeting.recording);
  useKeys(view.allowed, setDialog);
  useWakeLock();
  return (
    <div className={css.room} ref={useKeptFocus()}>
      <main className={css.whole}>
        <header className={css.header}>
          <div className={css.name}>
            <Heading size="h5" className={css.title ?? ""}>
              {view.room.name}
            </Heading>
            <PlanButton room={view.room} />
          </div>
          {view.meeting.locked && (
            <span className={css.state}>
              <IconLock size={15} aria-hidden /> {m.header.locked}
            </span>
          )}
          {notice.isSeen && (
            <span className={css.state} title={m.header.recordingHelp}>
              <span className={css.dot} aria-hidden /> {m.header.recording}
            </span>
          )}
          {viewers > 0 && (
            <span className={css.state}>
              <IconEye size={15} aria-hidden /> {m.header.viewers(viewers)}
            </span>
          )}
          <LiveStates view={view} />
        </header>
        <div className={css.main}>
          <div className={css.middle}>
            {isLost && (
              <div className={css.lost} role="alert">
                <Loader size="xs" color="#fff" aria-hidden />
                <span>
                  <strong>{m.reconnecting.title}</strong> {m.reconnecting.help}
                </span>
              </div>
            )}
            <Banners view={view} onRecordingSeen={notice.isSeen ? undefined : notice.see} />
            <OwnQualityBanner />
            <Sounds />
            <StageView view={view} mode={mode} />
            <Captions view={view} />
          </div>
          {panel === "chat" && !isHidden("chat") && <ChatPanel view={view} />}
          {panel === "people" && !isHidden("people") && <PeoplePanel view={view} />}
        </div>
      </main>
      <Bar view={view} mode={mode} onDialog={setDialog} />
      <RoomDialogs dialog={dialog} onClose={() => setDialog(undefined)} />
    </div>
  );
};
