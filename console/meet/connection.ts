import { useSyncExternalStore } from "react";
import { roomHere, sessionToken } from "./address.ts";
import { type OwnMedia, ownMedia } from "./call/own-media.ts";
import { watchSilence } from "./call/silence.ts";
import type { Meeting } from "./call/state.ts";
import { Visit } from "./call/visit.ts";

/** The meeting of this page. */
export const meeting = new Visit(roomHere, sessionToken);

watchSilence();

/** The meeting as it is now. */
export const useMeeting = (): Meeting => useSyncExternalStore(meeting.subscribe, meeting.get);

/** The devices of this person that are on now. */
export const useOwnMedia = (): OwnMedia => useSyncExternalStore(ownMedia.subscribe, ownMedia.get);
