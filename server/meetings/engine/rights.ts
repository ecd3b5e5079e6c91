import type { Medium } from "../../../contract/meetings/commands.ts";
import type { SeatRow } from "../../db/meeting-tables.ts";
import type { Grant, TrackSource } from "../../media/grants.ts";
import type { Published } from "../../media/publishing.ts";
import type { Sight } from "../../media/view.ts";
import {
  permissionsOf,
  type RightsOf,
  type SeeingRules,
  sees,
  seesVideo,
} from "../seats/allowed.ts";
import { isPerson } from "../seats/seat.ts";
import type { Snapshot } from "../state/snapshot.ts";

/*
 * The rights that the media engine and its gate enforce. They follow from `allowed.ts`: there is no
 * second table of permissions.
 */

const sources: Readonly<Record<Medium, readonly TrackSource[]>> = {
  audio: ["microphone"],
  video: ["camera"],
  share: ["screen_share", "screen_share_audio"],
};
const sounds: readonly TrackSource[] = ["microphone", "screen_share_audio"];
const media = Object.keys(sources) as readonly Medium[];

/**
 * The grant of a person. It is computed in the same way for a connection and after every change, so the
 * next update repairs one that was lost. The viewers of an event send nothing, and others see them in the
 * meeting's own list (`view.ts`): the engine does not list them. Nor does it list captures, which do not keep
 * its room open either.
 */
export const grantOf = (
  { room, meeting }: Pick<Snapshot, "room" | "meeting">,
  seat: RightsOf,
): Grant => {
  const may = permissionsOf(room, meeting, seat);
  const sent = media.filter((medium) => may[medium]).flatMap((medium) => sources[medium]);
  return {
    publish: seat.second ? sent.filter((source) => !sounds.includes(source)) : sent,
    subscribe: true,
    hidden: !isPerson(seat) || (room.roomType === "event" && seat.role === "viewer"),
    recorder: !isPerson(seat),
  };
};

/** A grant without some media. */
export const without = (grant: Grant, muted: readonly Medium[]): Grant => {
  const taken = muted.flatMap((medium) => sources[medium]);
  return { ...grant, publish: grant.publish.filter((source) => !taken.includes(source)) };
};

/** Returns whether others receive a device of a person from the engine; of a screen, its picture. */
export const isPublished = ({ sources: published }: Published, medium: Medium): boolean => {
  const [main] = sources[medium];
  return main !== undefined && published.includes(main);
};

/** The knowledge that somebody may have of somebody else. */
export const sightOf = (
  room: SeeingRules,
  who: Pick<SeatRow, "id" | "role" | "video">,
  whom: Pick<SeatRow, "id" | "role">,
): Sight => {
  if (!sees(room, who, whom)) return "none";
  return seesVideo(room, who, whom) ? "all" : "audio";
};
