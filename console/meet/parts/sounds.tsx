import { Button } from "@mantine/core";
import { IconVolume } from "@tabler/icons-react";
import { useSyncExternalStore } from "react";
import { m } from "../../texts/meet.ts";
import { playAll, sound } from "../call/sound.ts";
import { useMeeting, useOwnMedia } from "../connection.ts";
import css from "../styles/room.module.css";
import { Sound } from "./picture.tsx";

/** The sound of everybody, whether their picture is on this page or not. */
export const Sounds = () => {
  const { people } = useMeeting();
  const { speaker } = useOwnMedia();
  const { isBlocked } = useSyncExternalStore(sound.subscribe, sound.get);
  return (
    <>
      {[...people].flatMap(([peerId, { tracks }]) =>
        (["audio", "shareAudio"] as const).map((source) => {
          const attach = tracks[source];
          return attach && <Sound key={peerId + source} attach={attach} speaker={speaker} />;
        }),
      )}
      {isBlocked && (
        <div className={css.banner} role="alert">
          <span>{m.bar.quiet}</span>
          <Button
            size="compact-sm"
            leftSection={<IconVolume size={16} />}
            onClick={() => void playAll()}
          >
            {m.bar.playSound}
          </Button>
        </div>
      )}
    </>
  );
};
