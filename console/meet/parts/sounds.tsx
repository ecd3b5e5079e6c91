import { Button } from "@mantine/core";
import { IconVolume } from "@tabler/icons-react";
import { useSyncExternalStore } from "react";
import { m } from "../../texts/meet.ts";
import { isOn } from "../call/media.ts";
import { useMeeting, useOwnMedia } from "../connection.ts";
import css from "../styles/room.module.css";
import { playAll, Sound, sound } from "./picture.tsx";

/**
 * The sound of everybody who has it on, whether or not their picture is on this page of tiles. Sound that is
 * off according to the service is not played, even if a modified page sends it directly. A second device plays
 * nothing.
 */
export const Sounds = () => {
  const { people, view } = useMeeting();
  const { speaker } = useOwnMedia();
  const { isBlocked } = useSyncExternalStore(sound.subscribe, sound.get);
  // The person hears everybody on the first device.
  if (view?.you.secondDevice) return null;
  return (
    <>
      {view?.peers.flatMap((peer) =>
        (["audio", "shareAudio"] as const).map((source) => {
          const attach = isOn(peer, source) ? people.get(peer.peerId)?.tracks[source] : undefined;
          return attach && <Sound key={peer.peerId + source} attach={attach} speaker={speaker} />;
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
