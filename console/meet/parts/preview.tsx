import {
  IconMicrophone,
  IconMicrophoneOff,
  IconSettings,
  IconVideo,
  IconVideoOff,
} from "@tabler/icons-react";
import { useState } from "react";
import { m } from "../../texts/meet.ts";
import { attachTrack } from "../call/media.ts";
import { whatIsOn } from "../call/own-media.ts";
import { meeting, useOwnMedia } from "../connection.ts";
import css from "../styles/before.module.css";
import { DeviceFields, DeviceProblems } from "./device-fields.tsx";
import { LevelBar } from "./level-bar.tsx";
import { Picture } from "./picture.tsx";
import { RoundButton } from "./round-button.tsx";

/** How others will see and hear this person. */
export const Preview = () => {
  const own = useOwnMedia();
  const { audio, video, asking, problems } = own;
  const isOn = whatIsOn(own);
  const [isChoosing, setChoosing] = useState(false);
  return (
    <section className={css.preview} aria-label={m.before.preview}>
      <div className={css.frame}>
        {video ? (
          <Picture attach={attachTrack(video)} mirrored label={m.before.preview} />
        ) : (
          <p className={css.blank}>{asking.video ? m.before.asking : m.before.cameraOff}</p>
        )}
        <div className={css.controls}>
          <RoundButton
            label={isOn.audio ? m.bar.mute : m.bar.unmute}
            icon={audio ? IconMicrophone : IconMicrophoneOff}
            isOff={audio === null}
            onClick={() => meeting.toggle("audio")}
          />
          <RoundButton
            label={isOn.video ? m.bar.cameraOff : m.bar.cameraOn}
            icon={video ? IconVideo : IconVideoOff}
            isOff={video === null}
            onClick={() => meeting.toggle("video")}
          />
          <RoundButton
            label={m.devices.title}
            icon={IconSettings}
            expanded={isChoosing}
            onClick={() => setChoosing((is) => !is)}
          />
        </div>
      </div>
      {audio && <LevelBar track={audio} />}
      <DeviceProblems />
      {(problems.audio || problems.video) && (
        <p className="dimmed small">{m.before.withoutDevices}</p>
      )}
      {isChoosing && <DeviceFields />}
    </section>
  );
};
