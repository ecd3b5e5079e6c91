import type { Allowed } from "../../../contract/meetings/socket.ts";
import { type MediaAdapter, maySend, type Source, sources } from "./media.ts";
import { closeDevice, type OwnMedia, ownMedia, stopShare } from "./own-media.ts";
import { comesFrom } from "./silence.ts";

/** Sends what is on, and reports it; one object per stay in a meeting. */
export interface Publisher {
  /** After devices or permissions have changed. */
  readonly settle: (allowed: Allowed) => void;
  /** Reports again what is on, after reconnecting. */
  readonly repeat: () => void;
}

/** The devices that the service passes on to the others. */
type Flags = Readonly<Record<"audio" | "video" | "share", boolean>>;

const flagsOf = (own: OwnMedia, allowed: Allowed): Flags => {
  const { audio, video } = comesFrom(own);
  return {
    audio: allowed.audio && audio,
    video: allowed.video && video,
    share: allowed.share && own.share !== null,
  };
};

/** Closes what is no longer allowed. */
export const obey = (allowed: Allowed): void => {
  for (const device of ["audio", "video"] as const) if (!allowed[device]) closeDevice(device);
  if (!allowed.share) stopShare();
};

export const openPublisher = (adapter: MediaAdapter, tell: (flags: Flags) => void): Publisher => {
  /**
   * The last requested track of each source. A source without an entry has failed: it is requested again,
   * even if it is off.
   */
  const sent = new Map<Source, MediaStreamTrack | null>(sources.map((source) => [source, null]));
  let flags: Flags | undefined;

  return {
    settle: (allowed) => {
      const own = ownMedia.get();
      for (const source of sources) {
        const track = maySend(allowed, source) ? own[source] : null;
        if (sent.get(source) === track) continue;
        sent.set(source, track);
        adapter.publish(source, track).catch((failure) => {
          console.warn("This cannot be sent", source, failure);
          if (sent.get(source) === track) sent.delete(source);
        });
      }
      for (const device of ["audio", "video"] as const) {
        adapter.hush(device, own.silent[device] !== undefined);
      }
      const next = flagsOf(own, allowed);
      if (JSON.stringify(next) !== JSON.stringify(flags)) tell(next);
      flags = next;
    },
    repeat: () => flags && tell(flags),
  };
};
