import { DIRECT_SEATS } from "../../contract/kit/plain.ts";
import { seatCount } from "../data/first-values.ts";
import type { RoomValues } from "../data/room-values.ts";
import css from "../kit/form.module.css";
import { useOrganization } from "../kit/queries.ts";
import { around } from "../kit/said.tsx";
import { t } from "../texts/index.ts";

type Seats = Pick<RoomValues, "roomType" | "noOfModerators" | "noOfParticipants" | "noOfViewers">;

/** Returns whether meetings run without a media engine; false until the organization is loaded. */
const useDirect = (): boolean => useOrganization().data?.media === "direct";

const Note = ({ text }: { readonly text: (command: string) => string }) => (
  <p className="dimmed small">{around(text, <code>parley media install</code>)}</p>
);

/** Warns that a room has more seats than can be taken without a media engine. */
export const SeatsNote = ({ values }: { readonly values: Seats }) => {
  const seats = seatCount(values);
  const isDirect = useDirect();
  return isDirect && values.roomType !== "p2p" && seats > DIRECT_SEATS ? (
    <div className={css.wide}>
      <Note text={(command) => t.meetings.engine.seats(seats, DIRECT_SEATS, command)} />
    </div>
  ) : null;
};

/** Says that there is no media engine, on pages that are not about one room. */
export const EngineNote = () =>
  useDirect() && <Note text={(command) => t.meetings.engine.missing(DIRECT_SEATS, command)} />;
