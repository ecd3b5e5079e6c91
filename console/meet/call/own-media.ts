import type { Medium } from "../../../contract/meetings/commands.ts";
import { createStore } from "../../kit/store.ts";
import { keep, kept } from "./kept.ts";
import type { Source } from "./media.ts";

/** muted: the system passes nothing on, as during a call; empty: a microphone that gives no sound at all. */
export type Silence = "muted" | "empty";

/** A device that can be turned on and off. */
export type Device = "audio" | "video";
/** Why this person's picture or sound is missing. */
export type Problem = "denied" | "missing" | "busy" | "insecure" | "unplugged" | "unsent";

export interface OwnMedia {
  /** The devices that are on now. */
  readonly audio: MediaStreamTrack | null;
  readonly video: MediaStreamTrack | null;
  readonly share: MediaStreamTrack | null;
  readonly shareAudio: MediaStreamTrack | null;
  readonly problems: { readonly [D in Device]?: Problem };
  /** The devices that are on, and from which nothing comes (silence.ts). */
  readonly silent: { readonly audio?: Silence; readonly video?: "muted" };
  /** The pending request of each device that is to be on as soon as the browser provides it. */
  readonly asking: { readonly [D in Device]?: symbol };
  readonly devices: readonly MediaDeviceInfo[];
  readonly microphone: string;
  readonly camera: string;
  readonly speaker: string;
}

const { microphone, camera, speaker } = kept();

/** The devices of this browser: which are on, which are available, and what went wrong. */
export const ownMedia = createStore<OwnMedia>({
  audio: null,
  video: null,
  share: null,
  shareAudio: null,
  problems: {},
  silent: {},
  asking: {},
  devices: [],
  microphone,
  camera,
  speaker,
});

/** A microphone that is off stays open without sound, so that it comes back at once. */
let quiet: MediaStreamTrack | null = null;

/** Exactly this device: with a mere preference, a browser may choose another one. */
const exactly = (id: string) => (id === "" ? {} : { deviceId: { exact: id } });
const constraints = {
  audio: (microphone: string) => ({
    ...exactly(microphone),
    echoCancellation: true,
    noiseSuppression: true,
    autoGainControl: true,
  }),
  video: (camera: string) => ({
    ...exactly(camera),
    width: { ideal: 1280 },
    height: { ideal: 720 },
    frameRate: { ideal: 30, max: 30 },
  }),
};

const problemOf = (failure: unknown): Problem => {
  switch ((failure as DOMException).name) {
    case "NotAllowedError":
    case "SecurityError":
      return "denied";
    case "NotFoundError":
    case "OverconstrainedError":
      return "missing";
    default:
      return "busy";
  }
};

const refresh = async (): Promise<void> => {
  const devices = (await navigator.mediaDevices?.enumerateDevices()) ?? [];
  // Devices have no names before the person has agreed.
  ownMedia.set({ devices: devices.filter(({ deviceId }) => deviceId !== "") });
};
navigator.mediaDevices?.addEventListener("devicechange", () => void refresh());

const report = (device: Device, problem: Problem | undefined): void => {
  const { [device]: _, ...others } = ownMedia.get().problems;
  ownMedia.set({ problems: problem === undefined ? others : { ...others, [device]: problem } });
};

/** The person has dismissed the notice about a device that does not work. */
export const dismiss = (device: Device): void => report(device, undefined);

/** Forgets the pending request for a device: if it still delivers one, that is closed. */
const forget = (device: Device): void => {
  const { [device]: request, ...asking } = ownMedia.get().asking;
  if (request !== undefined) ownMedia.set({ asking });
};

const accept = (device: Device, track: MediaStreamTrack): void => {
  track.onended = () => {
    if (quiet === track) quiet = null;
    if (ownMedia.get()[device] !== track) return;
    ownMedia.set({ [device]: null });
    report(device, "unplugged");
  };
  ownMedia.set({ [device]: track });
  forget(device);
  report(device, undefined);
};

const anyDevice = { microphone: "", camera: "" } as const;

/** Requests devices from the browser, except those with a newer request. */
const ask = async (
  request: symbol,
  devices: readonly Device[],
  chosen: Pick<OwnMedia, "microphone" | "camera"> = ownMedia.get(),
): Promise<void> => {
  const isWanted = (device: Device) => ownMedia.get().asking[device] === request;
  const wanted = devices.filter(isWanted);
  const [first] = wanted;
  if (first === undefined) return;
  const ids = { audio: chosen.microphone, video: chosen.camera };
  try {
    const stream = await navigator.mediaDevices.getUserMedia(
      Object.fromEntries(wanted.map((device) => [device, constraints[device](ids[device])])),
    );
    for (const track of stream.getTracks()) {
      const device = track.kind as Device;
      // The browser answers late if it asks the person, who may have left or chosen another device meanwhile.
      if (isWanted(device)) accept(device, track);
      else track.stop();
    }
  } catch (failure) {
    // Nobody knows which one it was.
    if (wanted.length > 1) {
      for (const device of wanted) await ask(request, [device]);
      return;
    }
    // The chosen device is not plugged in: use any other.
    const isGone = (failure as DOMException).name === "OverconstrainedError";
    if (isGone && ids[first] !== "") return ask(request, wanted, anyDevice);
    if (!isWanted(first)) return;
    report(first, problemOf(failure));
    forget(first);
  }
};

/**
 * Turns devices on; those that do not work are in `problems` afterwards. Several are requested together, so
 * that the browser asks the person only once.
 */
export const turnOn = async (devices: readonly Device[]): Promise<void> => {
  if (navigator.mediaDevices === undefined) {
    for (const device of devices) report(device, "insecure");
    return;
  }
  let missing = devices.filter((device) => !whatIsOn()[device]);
  if (missing.includes("audio") && quiet?.readyState === "live") {
    quiet.enabled = true;
    accept("audio", quiet);
    quiet = null;
    missing = missing.filter((device) => device !== "audio");
  }
  const request = Symbol();
  const asking = Object.fromEntries(missing.map((device) => [device, request]));
  ownMedia.set({ asking: { ...ownMedia.get().asking, ...asking } });
  await ask(request, missing);
  await refresh();
};

/** Turns on the devices that are marked as on. */
export const turnOnThose = (on: Readonly<Record<Device, boolean>>): Promise<void> =>
  turnOn((["audio", "video"] as const).filter((device) => on[device]));

/** The devices that are on, or will be as soon as the browser provides them. */
export const whatIsOn = (
  { audio, video, asking } = ownMedia.get(),
): Readonly<Record<Device, boolean>> => ({
  audio: audio !== null || asking.audio !== undefined,
  video: video !== null || asking.video !== undefined,
});

/** Turns a device off, even one that the browser is about to provide. */
export const turnOff = (device: Device): void => {
  forget(device);
  const track = ownMedia.get()[device];
  if (track === null) return;
  ownMedia.set({ [device]: null });
  if (device === "audio") {
    track.enabled = false;
    quiet = track;
  } else {
    track.onended = null;
    track.stop();
  }
};

/** Turns a device off and closes it, so that the browser does not show it as in use. */
export const closeDevice = (device: Device): void => {
  turnOff(device);
  if (device !== "audio") return;
  quiet?.stop();
  quiet = null;
};

const changed = { audio: "microphone", video: "camera" } as const;

/** Switches to another device; at once if it is on. */
export const choose = async (
  which: "microphone" | "camera" | "speaker",
  id: string,
): Promise<void> => {
  ownMedia.set({ [which]: id });
  keep({ [which]: id });
  for (const device of ["audio", "video"] as const) {
    if (changed[device] !== which) continue;
    const wasOn = whatIsOn()[device];
    closeDevice(device);
    if (wasOn) await turnOn([device]);
  }
};

/** Ends the sound of a shared screen, and keeps its picture. */
export const stopShareSound = (): void => {
  const { shareAudio } = ownMedia.get();
  if (shareAudio === null) return;
  ownMedia.set({ shareAudio: null });
  shareAudio.stop();
};

export const stopShare = (): void => {
  const { share, shareAudio } = ownMedia.get();
  if (share === null) return;
  ownMedia.set({ share: null, shareAudio: null });
  share?.stop();
  shareAudio?.stop();
};

/** The current request for a screen. */
let picking: symbol | undefined;

/** Lets the person choose which screen to share. Returns false if they cancel. */
export const startShare = async (): Promise<boolean> => {
  const request = Symbol();
  picking = request;
  try {
    const stream = await navigator.mediaDevices.getDisplayMedia({
      video: { frameRate: { max: 15 } },
      audio: true,
    });
    const [share = null] = stream.getVideoTracks();
    const [shareAudio = null] = stream.getAudioTracks();
    if (picking !== request) for (const track of stream.getTracks()) track.stop();
    if (picking !== request || share === null) return false;
    share.contentHint = "detail";
    share.onended = stopShare;
    ownMedia.set({ share, shareAudio });
    return true;
  } catch (failure) {
    if ((failure as DOMException).name === "NotAllowedError") return false;
    throw failure;
  }
};

/** Turns off what cannot be sent, and says why a device is off. */
export const giveUp = (source: Source, track: MediaStreamTrack, problem: Problem): void => {
  if (ownMedia.get()[source] !== track) return;
  if (source === "share") stopShare();
  else if (source === "shareAudio") {
    track.stop();
    ownMedia.set({ shareAudio: null });
  } else {
    turnOff(source);
    report(source, problem);
  }
};

export const canShare = (): boolean => navigator.mediaDevices?.getDisplayMedia !== undefined;

/** Closes every device, even one that the browser is about to provide. */
export const closeDevices = (): void => {
  picking = undefined;
  stopShare();
  closeDevice("video");
  closeDevice("audio");
};

/** A moderator has ended these: they are off when the person enters again. Returns those that were on. */
export const silence = (media: readonly Medium[]): readonly Medium[] => {
  const wasOn = { ...whatIsOn(), share: ownMedia.get().share !== null };
  for (const medium of media) {
    if (medium === "share") stopShare();
    else {
      turnOff(medium);
      keep({ [medium]: false });
    }
  }
  return media.filter((medium) => wasOn[medium]);
};
