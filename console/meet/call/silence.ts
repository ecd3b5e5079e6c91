import { type EmptyMeter, measureEmpty } from "./levels.ts";
import { type Device, type OwnMedia, ownMedia, type Silence } from "./own-media.ts";

/*
 * A device has three states: off, on, and on while nothing comes from it. The last one ends by itself.
 */

/** How often devices are looked at, in milliseconds. */
const EVERY = 500;
/** Shorter interruptions are not reported, in milliseconds: a device may just be changing. */
const SHORT = { muted: 1_000, empty: 5_000 } as const;

/** The time since which nothing comes from a device; undefined if something does. */
export interface Quiet {
  readonly muted: number | undefined;
  readonly empty: number | undefined;
}

/** The result of a look at a device. */
export interface Look {
  readonly isMuted: boolean;
  /** True if a microphone has given nothing but zeros; undefined if that is not known. */
  readonly isEmpty: boolean | undefined;
}

export const heard: Quiet = { muted: undefined, empty: undefined };

/** The same time, after one more look. */
export const quietAfter = (
  { muted, empty }: Quiet,
  { isMuted, isEmpty }: Look,
  time: number,
): Quiet => ({
  muted: isMuted ? (muted ?? time) : undefined,
  empty: isEmpty ? (empty ?? time) : undefined,
});

/** Why nothing comes from a device that is on; undefined: something does, or will in a moment. */
export const silenceOf = (quiet: Quiet, time: number): Silence | undefined =>
  (["muted", "empty"] as const).find((why) => {
    const since = quiet[why];
    return since !== undefined && time - since >= SHORT[why];
  });

/** The devices from which the others receive something. */
export const comesFrom = ({
  audio,
  video,
  silent,
}: Pick<OwnMedia, "audio" | "video" | "silent">): Readonly<Record<Device, boolean>> => ({
  audio: audio !== null && silent.audio === undefined,
  video: video !== null && silent.video === undefined,
});

/** One device that is on. */
class Watched {
  readonly track: MediaStreamTrack;
  readonly #meter: EmptyMeter | undefined;
  #quiet = heard;

  constructor(track: MediaStreamTrack) {
    this.track = track;
    this.#meter = track.kind === "audio" ? measureEmpty(track) : undefined;
  }

  look(time: number): Silence | undefined {
    const look = { isMuted: this.track.muted, isEmpty: this.#meter?.isEmpty() };
    this.#quiet = quietAfter(this.#quiet, look, time);
    return silenceOf(this.#quiet, time);
  }

  close(): void {
    this.#meter?.close();
  }
}

/** Watches this page's devices: `ownMedia` says from which nothing comes. */
export const watchSilence = (): void => {
  const watched: { [D in Device]?: Watched } = {};

  const look = (device: Device): Silence | undefined => {
    const { [device]: track } = ownMedia.get();
    if (watched[device]?.track !== track) {
      watched[device]?.close();
      if (track === null) delete watched[device];
      else watched[device] = new Watched(track);
    }
    return watched[device]?.look(performance.now());
  };

  const lookAtAll = (): void => {
    const [audio, video] = [look("audio"), look("video")];
    const { silent } = ownMedia.get();
    if (silent.audio === audio && silent.video === video) return;
    // Only sound can be measured.
    ownMedia.set({ silent: { ...(audio && { audio }), ...(video && { video: "muted" }) } });
  };

  setInterval(lookAtAll, EVERY);
  // Turning a device off, or choosing another one, ends its silence at once.
  ownMedia.subscribe(() => {
    const { audio, video, silent } = ownMedia.get();
    const isOther = (device: Device, track: MediaStreamTrack | null) =>
      silent[device] !== undefined && watched[device]?.track !== track;
    if (isOther("audio", audio) || isOther("video", video)) lookAtAll();
  });
};
