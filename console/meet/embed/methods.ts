import { type CallFailure, layouts, type MeetingMethod } from "../../embed/protocol.ts";
import { canShare, type Device, ownMedia } from "../call/own-media.ts";
import type { Stage } from "../call/state.ts";
import { meeting } from "../connection.ts";
import { tellFailure, Unable } from "./failures.ts";

/** Where a person may turn devices on and off. */
const withDevices: ReadonlySet<Stage["name"]> = new Set([
  "before",
  "joining",
  "returning",
  "lobby",
  "inside",
  "reconnecting",
]);
/** Where there is something to leave. */
const leavable: ReadonlySet<Stage["name"]> = new Set(["lobby", "inside", "reconnecting"]);

const viewInside = () => {
  const { view } = meeting.get();
  if (view === undefined) throw new Unable("not_inside");
  return view;
};

/** Waits until the browser has answered every request for a device. */
const answered = (device: Device): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => {
      if (ownMedia.get().asking[device] !== undefined) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = ownMedia.subscribe(look);
    look();
  });

const turn = (device: Device, on: boolean) => async (): Promise<void> => {
  const { stage, view } = meeting.get();
  if (!withDevices.has(stage.name)) throw new Unable("not_inside");
  if (on && view && !view.allowed[device]) throw new Unable("not_allowed");
  await meeting.turn(device, on);
  await answered(device);
  const { [device]: track, problems } = ownMedia.get();
  if (on && track === null) throw new Unable(problems[device] ?? "cancelled");
};

const startShare = async (): Promise<void> => {
  if (!viewInside().allowed.share) throw new Unable("not_allowed");
  if (!canShare()) throw new Unable("unsupported");
  try {
    if (await meeting.startShare()) return;
  } catch (failure) {
    // The browser lets nobody choose a screen without a click, and clicks count for one page only.
    const isUnasked = (failure as DOMException).name === "InvalidStateError";
    throw new Unable(isUnasked ? "click_needed" : "failed");
  }
  throw new Unable("cancelled");
};

/** Sends what only people inside may send. */
const send = (act: () => Promise<void>) => async (): Promise<void> => {
  viewInside();
  await act();
};

const actions: { readonly [M in MeetingMethod]: (input: unknown) => Promise<void> } = {
  mute: turn("audio", false),
  unmute: turn("audio", true),
  startCamera: turn("video", true),
  stopCamera: turn("video", false),
  startShare,
  stopShare: async () => {
    viewInside();
    meeting.stopShare();
  },
  raiseHand: send(() => meeting.send("hand", { up: true })),
  lowerHand: send(() => meeting.send("hand", { up: false })),
  setLayout: async (wanted) => {
    const layout = layouts.find((one) => one === wanted);
    if (layout === undefined) throw new Unable("invalid_call");
    viewInside();
    meeting.layOut(layout);
  },
  startRecording: send(() => meeting.send("startRecording", {})),
  stopRecording: send(() => meeting.send("stopRecording", {})),
  leave: async () => {
    if (!leavable.has(meeting.get().stage.name)) throw new Unable("not_inside");
    meeting.leave();
  },
  end: send(() => meeting.send("closeRoom", {})),
};

/** Does what the page around this one calls. Returns why it cannot, or nothing. */
export const carryOut = async (
  method: unknown,
  input: unknown,
): Promise<CallFailure | undefined> => {
  try {
    if (typeof method !== "string" || !Object.hasOwn(actions, method)) {
      throw new Unable("invalid_call");
    }
    await actions[method as MeetingMethod](input);
    return undefined;
  } catch (failure) {
    return tellFailure(failure);
  }
};
