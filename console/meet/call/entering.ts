import type { CallOptions } from "../../../contract/client.ts";
import { ParleyError } from "../../kit/client.ts";
import { notify } from "../../kit/notices.tsx";
import type { Store } from "../../kit/store.ts";
import { m } from "../../texts/meet.ts";
import { Again } from "./again.ts";
import { unlessCaptured } from "./captured.ts";
import { turnOnThose, type whatIsOn } from "./own-media.ts";
import {
  askForSeat,
  askWhatOpens,
  giveBack,
  isAway,
  isPassing,
  type Seat,
  type TakeOptions,
} from "./seat.ts";
import type { Entry, Invitation, Meeting } from "./state.ts";
import type { Stay } from "./stay.ts";

/** Devices are on again in a seat that was lost for less than this; later the person may be elsewhere. */
const SOON = 5 * 60_000;

type On = ReturnType<typeof whatIsOn>;

interface EnteringOptions {
  readonly store: Store<Meeting>;
  readonly room: () => string;
  readonly sessionToken: string | undefined;
  /** Connects with a seat. */
  readonly connect: (seat: Seat) => void;
  /** Called when the seat is lost, although nobody has decided that. */
  readonly onLost: () => void;
}

/** How a person gets a seat: by a click, after a reload, and again after the seat was lost. */
export const openEntering = ({ store, room, sessionToken, connect, onLost }: EnteringOptions) => {
  let entry: Entry = { peerName: "", password: "", peerType: undefined };
  /** The devices that were on when the seat was lost, and the time. */
  let lost: (On & { readonly at: number }) | undefined;
  /** True if the person has asked for the seat, which may then come from another window. */
  let isAsked = false;

  const look = (options?: CallOptions) => askWhatOpens(room(), sessionToken, options);
  const ask = (options?: TakeOptions) => askForSeat(room(), sessionToken, entry, options);

  /**
   * After a refusal, shows what the room asks for now: a password, another role, or watching. If the meeting
   * has been unlocked meanwhile, the refusal disappears.
   */
  const lookAgain = async (): Promise<void> => {
    const invitation = await look().catch(() => undefined);
    const { stage, failure } = store.get();
    if (invitation === undefined || stage.name !== "before") return;
    const wasLocked = failure instanceof ParleyError && failure.code === "room_locked";
    store.set({ invitation, ...(wasLocked && !invitation.locked && { failure: undefined }) });
  };

  /** Takes a seat, or finds that the person must first see that the meeting is recorded, streamed or transcribed. */
  const askUnlessCaptured = (options?: TakeOptions): Promise<Seat | Invitation> => {
    const { invitation: known } = store.get();
    return known
      ? unlessCaptured(
          known,
          () => look(options?.signal && { signal: options.signal }),
          () => ask(options),
        )
      : ask(options);
  };

  const refused = (failure: unknown, quiet: boolean): void => {
    store.set({ stage: { name: "before", quiet }, failure });
    if (failure instanceof ParleyError) void lookAgain();
  };

  const enter = async (options?: TakeOptions): Promise<void> => {
    store.set({ stage: { name: "joining" }, failure: undefined });
    try {
      const answer = await askUnlessCaptured(options);
      if ("recording" in answer) store.set({ stage: { name: "before" }, invitation: answer });
      else connect(answer);
    } catch (failure) {
      refused(failure, false);
    }
  };

  /** Takes a seat that was found by itself. */
  const sitDown = (seat: Seat): void => {
    store.set({ stage: { name: "returning" } });
    if (lost && Date.now() - lost.at < SOON) void turnOnThose(lost);
    else notify({ text: m.notices.back });
    connect(seat);
  };

  const again = new Again(async (signal) => {
    const { stage } = store.get();
    const isStill = () => store.get().stage === stage;
    try {
      const answer = await askUnlessCaptured({ signal, takesOver: isAsked });
      if ("recording" in answer) {
        if (isStill()) store.set({ stage: { name: "before", quiet: true }, invitation: answer });
      } else if (isStill()) sitDown(answer);
      else giveBack(answer.ticket, false);
      return true;
    } catch (failure) {
      if (!isStill()) return true;
      if (!isPassing(failure)) {
        refused(failure, true);
        return true;
      }
      store.set({ failure: failure instanceof ParleyError ? failure : undefined });
      return false;
    }
  });

  return {
    look,
    lookAgain,
    /** The values with which the person enters. */
    entry: (): Entry => entry,

    /** @param takesOver whether a seat on another device moves here; otherwise the person is asked */
    join: (next: Entry, takesOver: boolean): Promise<void> => {
      entry = next;
      return enter({ takesOver });
    },

    /** Takes the service's answer about this device: the first one may have left. */
    knows: (secondDevice: boolean): void => {
      entry = { ...entry, secondDevice };
    },

    /** Asks for a seat with the room's password, from before the door. @throws ParleyError as joinRoom does */
    askWith: (password: string): Promise<Seat> => {
      entry = { ...entry, password };
      return ask();
    },

    /** Enters again with the same name, password and role. */
    rejoin: async (takesOver: boolean): Promise<void> => {
      if (lost === undefined) return enter({ takesOver });
      // The person is here.
      lost = { ...lost, at: Date.now() };
      isAsked = true;
      await again.now();
      isAsked = false;
    },

    /** After a reload: enters as before, without a click. */
    comeBack: async (stay: Stay): Promise<void> => {
      const { peerName, peerType, waitsForSeat = false, secondDevice = false, ...on } = stay;
      void turnOnThose(on);
      const name = sessionToken === undefined ? peerName : "";
      entry = { peerName: name, password: "", peerType, waitsForSeat, secondDevice };
      store.set({ stage: { name: "returning" }, failure: undefined });
      try {
        connect(await ask());
      } catch (failure) {
        if (isAway(failure)) onLost();
        else refused(failure, false);
      }
    },

    /** The seat is lost: enters again as soon as that is possible. @param on what was on */
    retry: (on: On): void => {
      lost ??= { ...on, at: Date.now() };
      again.start();
    },

    /** There is nothing to come back to: the person is there, or somebody has ended it. */
    settle: (): void => {
      lost = undefined;
      again.reset();
    },
  };
};
