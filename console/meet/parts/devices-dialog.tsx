import { Dialog } from "../../kit/dialog.tsx";
import { m } from "../../texts/meet.ts";
import { useOwnMedia } from "../connection.ts";
import { DeviceFields, DeviceProblems } from "./device-fields.tsx";
import { LevelBar } from "./level-bar.tsx";

/** The devices of this person, with the level of the microphone and a test of the speaker. */
export const DevicesDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const { audio } = useOwnMedia();
  return (
    <Dialog title={m.devices.title} onClose={onClose}>
      <DeviceProblems />
      <DeviceFields
        level={
          audio ? <LevelBar track={audio} /> : <p className="dimmed small">{m.controls.noLevel}</p>
        }
      />
    </Dialog>
  );
};
