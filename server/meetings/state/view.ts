import type { Captured, EnteredRoom } from "../../../contract/meetings/meetings.ts";
import type {
  MeetingState,
  Peer,
  Upgrade,
  View,
  Waiting,
} from "../../../contract/meetings/socket.ts";
import type { Room } from "../../../contract/rooms/record.ts";
import type { SeatRow } from "../../db/meeting-tables.ts";
import { hasPassword } from "../../records/room-secrets.ts";
import { isStreamed, isTranscribed, liveStreamOf } from "../captures/runs.ts";
import {
  hidesPeople,
  hidesPictures,
  mayPromote,
  onePresenter,
  onNow,
  permissionsOf,
  sees,
  seesVideo,
} from "../seats/allowed.ts";
import { isPerson, isPersonal, metadataIn, type PersonSeat, secondIn } from "../seats/seat.ts";
import { isAsking } from "../seats/waiting-room.ts";
import { PRESENT } from "./inside.ts";
import type { Snapshot } from "./snapshot.ts";

/**
 * The room, as a person who enters may see it.
 *
 * @param nextAt when people meet next (nextDateOf)
 */
export const presentEntered = (room: Room, nextAt: string | null): EnteredRoom => ({
  roomId: room.room,
  name: room.name,
  roomType: room.roomType,
  roomAgenda: room.roomAgenda,
  scheduledDateTime: nextAt,
});

/** Somebody inside, as others see them. */
const peerOf = ({ room, meeting }: Snapshot, seat: PersonSeat): Peer => ({
  peerId: seat.id,
  peerName: seat.peer_name,
  peerType: seat.role,
  away: seat.state === "away",
  guest: seat.user_id === null,
  since: seat.joined_at ?? seat.claimed_at,
  ...onNow(room, meeting, seat),
  hand: seat.hand_at,
  quality: qualityOf(seat),
  ...secondIn(seat),
});

/** How good somebody's connection is; null: not known, or there is none. */
export const qualityOf = ({ state, quality }: Pick<SeatRow, "state" | "quality">) =>
  state === "inside" ? quality : null;

/** Returns whether a person is inside or away. */
export const isThere = ({ state }: Pick<SeatRow, "state">): boolean =>
  state === "inside" || state === "away";

/** Returns whether a moderator is inside. */
const isModerated = ({ seats }: Snapshot): boolean =>
  seats.some((seat) => seat.role === "moderator" && seat.state === "inside");

const waitingOf = ({ seats }: Snapshot): readonly Waiting[] =>
  seats
    .filter((seat) => seat.state === "waiting" && isAsking(seat))
    .map((seat) => ({
      peerId: seat.id,
      peerName: seat.peer_name,
      since: seat.claimed_at,
      away: seat.process === null && seat.connection > 0,
      ...metadataIn(seat),
    }));

const upgradesOf = ({ seats }: Snapshot): readonly Upgrade[] =>
  seats.flatMap(({ id, upgrade, upgrade_at }) =>
    upgrade === null ? [] : [{ peerId: id, state: upgrade, since: upgrade_at ?? "" }],
  );

/** The captures of a meeting that are under way. */
const capturedOf = ({ recorder, runs }: Snapshot): Captured => ({
  recording: recorder.state === "starting" || recorder.state === "active",
  streaming: isStreamed(runs),
  transcribing: isTranscribed(runs),
});

/** The view of a waiting person. */
export const lobbyOf = (
  snapshot: Snapshot,
  { waits_for, held }: Pick<SeatRow, "waits_for" | "held">,
) => ({
  room: presentEntered(snapshot.room, snapshot.nextAt),
  moderated: isModerated(snapshot),
  waitsFor: waits_for ?? ("moderator" as const),
  // Nobody new comes into a locked meeting, with or without the password.
  passwordRequired:
    waits_for === null &&
    !held &&
    !snapshot.meeting.locked &&
    !snapshot.room.authenticationRequired &&
    hasPassword(snapshot.room),
  ...capturedOf(snapshot),
});

/** The seat that has the only presenter's place; null also when they have left, or may not share any more. */
const presenterOf = ({ room, meeting, seats }: Snapshot): string | null => {
  if (!onePresenter(room)) return null;
  const seat = seats.find(({ id }) => id === meeting.presenter);
  if (seat === undefined || !PRESENT.includes(seat.state)) return null;
  return permissionsOf(room, meeting, seat).share ? seat.id : null;
};

const stateOf = (snapshot: Snapshot): MeetingState => {
  const { meeting, room, runs } = snapshot;
  const { recording, transcribing } = capturedOf(snapshot);
  return {
    meetingId: meeting.id,
    startedAt: meeting.started_at ?? meeting.opened_at,
    locked: meeting.locked,
    presenter: presenterOf(snapshot),
    peopleHidden: hidesPeople(room),
    picturesHidden: hidesPictures(room),
    recording,
    liveStream: liveStreamOf(runs),
    transcribing,
    mutesEntry: meeting.mutes_entry,
  };
};

/** The view that each person has of a meeting. */
export interface Views {
  /** Everything but the people. */
  readonly of: (seat: SeatRow) => Omit<View, "peers">;
  /** Returns whether a person gets the chat: not in the lobby. */
  readonly readsChat: (seat: SeatRow | undefined) => boolean;
  /** Everybody whom people of this person's role may see, by ID: the same map for all of them. */
  readonly peersOf: (seat: SeatRow) => ReadonlyMap<string, Peer>;
}

/** Somebody inside, as people see them. */
export interface KnownPeer {
  readonly byAll: Peer;
  /** With what the application that invited the person keeps with them. */
  readonly byModerators: Peer;
}

/** Keeps a peer whom nothing has changed as the same object. */
const know = (known: Map<string, KnownPeer>, seat: PersonSeat, peer: Peer): void => {
  const more = metadataIn(seat);
  const byModerators = more.metadata === undefined ? peer : { ...peer, ...more };
  const before = known.get(seat.id)?.byModerators;
  if (JSON.stringify(before) === JSON.stringify(byModerators)) return;
  known.set(seat.id, { byAll: peer, byModerators });
};

/**
 * The views of one snapshot. People of one role see the same people, so the lists are made once per
 * role; an unchanged person is the same object as in the previous views.
 *
 * @param known the people of the previous views, by ID
 * @param speechLanguage whether the speech engine takes the language that is spoken
 */
export const viewsOf = (
  snapshot: Snapshot,
  known: Map<string, KnownPeer>,
  speechLanguage = false,
): Views => {
  const { seats, room, meeting, recorder, runStates, failed } = snapshot;
  const there = seats.filter(isThere);
  const captures = meeting.media === "direct" ? there.filter((seat) => !isPerson(seat)) : [];
  for (const seat of there.filter(isPerson)) know(known, seat, peerOf(snapshot, seat));
  const waiting = waitingOf(snapshot);
  const upgrades = upgradesOf(snapshot);
  const state = stateOf(snapshot);
  const presenting = seats.find(({ id }) => id === state.presenter);
  const entered = presentEntered(room, snapshot.nextAt);
  const seenBy = ({ role }: SeatRow): ReadonlyMap<string, Peer> =>
    new Map(
      there
        .filter((other) => sees(room, { id: "", role }, other))
        .flatMap(({ id }) => {
          const peer = known.get(id);
          if (peer === undefined) return [];
          return [[id, role === "moderator" ? peer.byModerators : peer.byAll]];
        }),
    );
  const lists = new Map<string, ReadonlyMap<string, Peer>>();
  return {
    of: (seat) => {
      const { id, role, peer_name, hand_at } = seat;
      const moderate = role === "moderator";
      return {
        // A capture is no person; its page gets the view of a participant.
        you: {
          peerId: id,
          peerName: peer_name,
          hand: hand_at,
          peerType: isPersonal(role) ? role : "participant",
          ...secondIn(seat),
        },
        room: entered,
        meeting: {
          ...state,
          presenter: presenting && !sees(room, seat, presenting) ? "hidden" : state.presenter,
        },
        allowed: {
          ...permissionsOf(room, onePresenter(room) ? { presenter: id } : meeting, seat),
          moderate,
          presenterOnly: onePresenter(room),
          upgrade: role === "viewer" && !seat.second && room.noOfUpgradeRequests > 0,
          promote: mayPromote(room, seat),
          stream: moderate && room.enableLiveStreaming,
          transcribe: moderate && room.enableTranscription,
          ...(moderate && room.enableTranscription && speechLanguage && { speechLanguage }),
        },
        waiting: moderate ? waiting : [],
        recorder: moderate ? recorder : null,
        runs: moderate ? runStates : [],
        failed: moderate ? failed : [],
        upgrades: moderate ? upgrades : upgrades.filter(({ peerId }) => peerId === id),
        receivers: captures
          .filter((capture) => isPersonal(role) && sees(room, capture, seat))
          .map((capture) => ({ peerId: capture.id, video: seesVideo(room, capture, seat) })),
      };
    },
    readsChat: (seat) =>
      seat !== undefined && seat.state !== "waiting" && permissionsOf(room, meeting, seat).chat,
    peersOf: (seat) => {
      const list = lists.get(seat.role) ?? seenBy(seat);
      lists.set(seat.role, list);
      return list;
    },
  };
};
