import type { MediaPath } from "../../contract/meetings/meetings.ts";
import type { ChatMessage, Peer, ServerMessage } from "../../contract/meetings/socket.ts";
import type { CaptionRow } from "../db/live-tables.ts";
import type { SeatRow } from "../db/meeting-tables.ts";
import { presentSpoken } from "../meetings/captures/runs.ts";
import { numbered, readableBy, type Written } from "../meetings/record/chat.ts";
import { sees } from "../meetings/seats/allowed.ts";
import type { Message } from "../meetings/seats/messages.ts";
import type { Snapshot } from "../meetings/state/snapshot.ts";
import { lobbyOf, type Views } from "../meetings/state/view.ts";
import type { Member } from "./member.ts";

/** The result of one look at a meeting. */
export interface Seen {
  readonly snapshot: Snapshot;
  readonly views: Pick<Views, "of" | "peersOf">;
  readonly chat: readonly Written[];
  readonly captions: readonly CaptionRow[];
  /** How the media of a seat travel. */
  readonly mediaOf: (snapshot: Snapshot, seat: SeatRow) => MediaPath;
}

type View = ReturnType<Views["of"]>;
type Peers = ReturnType<Views["peersOf"]>;

/** What has changed from one list of people to the next. */
interface PeopleChanges {
  readonly changed: readonly Peer[];
  readonly gone: readonly string[];
}

/** Changes that were found, by the later list, then by the earlier one. */
const found = new WeakMap<Peers, WeakMap<Peers, PeopleChanges>>();

/** What has changed between two lists. People of one role share both, so they are compared once for all of them. */
const changesBetween = (before: Peers, peers: Peers): PeopleChanges => {
  const ofPeers = found.get(peers) ?? new WeakMap<Peers, PeopleChanges>();
  found.set(peers, ofPeers);
  const changes = ofPeers.get(before) ?? {
    changed: [...peers].flatMap(([id, peer]) => (before.get(id) === peer ? [] : [peer])),
    gone: [...before.keys()].filter((id) => !peers.has(id)),
  };
  ofPeers.set(before, changes);
  return changes;
};

/** The view that was sent to a member, and what is new to them: each message replaces what it changes. */
export class Told {
  readonly member: Member;
  /** The parts of the view as JSON; undefined until `welcome`. */
  #parts: ReadonlyMap<string, string> | undefined;
  /** Those whom this person sees, and this person where people of one role see each other. */
  #peers: Peers = new Map();
  /** The captures with which the browser may exchange signals. */
  #receivers: View["receivers"] = [];
  /** The number in the room of the last message of the chat. */
  #chat = 0;
  /** The last number that this person has got with a message. */
  #chatNumber = 0;
  #caption = 0;
  /** The last message about the lobby, as JSON. */
  #lobby = "";

  constructor(member: Member) {
    this.member = member;
  }

  /** The number in the room of the last message of the chat that this person may have. */
  get chat(): number {
    return this.#chat;
  }

  /** The number of the last caption; 0 until the first look at them. */
  get caption(): number {
    return this.#caption;
  }

  /** The news for somebody who waits before the door. */
  lobbyNews(snapshot: Snapshot, seat: SeatRow): readonly ServerMessage[] {
    const message = { type: "lobby" as const, ...lobbyOf(snapshot, seat) };
    const text = JSON.stringify(message);
    if (text === this.#lobby) return [];
    this.#lobby = text;
    return [message];
  }

  /** The news for somebody inside: everything, or what has changed. */
  news(seat: SeatRow, seen: Seen): readonly ServerMessage[] {
    const view = seen.views.of(seat);
    const peers = seen.views.peersOf(seat);
    const before = this.#peers;
    this.#peers = peers;
    this.#receivers = view.receivers;
    const isNew = this.#parts === undefined;
    const changed = this.#changesOf(view);
    const chat = this.#chatNews(seat, view, seen);
    const spoken = this.#captionNews(seat, seen);
    if (isNew) {
      const media = seen.mediaOf(seen.snapshot, seat);
      const others = [...peers.values()].filter(({ peerId }) => this.#isOther(peerId));
      return [{ type: "welcome", ...view, media, chat, peers: others }];
    }
    return [
      ...changed,
      ...this.#peopleNews(changesBetween(before, peers)),
      ...(chat.length > 0 ? [{ type: "chat" as const, messages: chat }] : []),
      ...(spoken.length > 0
        ? [{ type: "captions" as const, spoken: spoken.map(presentSpoken) }]
        : []),
    ];
  }

  #changesOf(view: View): readonly ServerMessage[] {
    const before = this.#parts;
    const parts = new Map(Object.entries(view).map(([name, part]) => [name, JSON.stringify(part)]));
    this.#parts = parts;
    const changed = Object.fromEntries(
      Object.entries(view).filter(([name]) => before?.get(name) !== parts.get(name)),
    );
    return Object.keys(changed).length > 0 ? [{ type: "changed", ...changed }] : [];
  }

  /** Returns whether a peer is somebody else than this person. */
  #isOther(peerId: string): boolean {
    return peerId !== this.member.seatId;
  }

  #peopleNews(changes: PeopleChanges): readonly ServerMessage[] {
    const changed = changes.changed.filter(({ peerId }) => this.#isOther(peerId));
    const gone = changes.gone.filter((peerId) => this.#isOther(peerId));
    return changed.length === 0 && gone.length === 0 ? [] : [{ type: "peers", changed, gone }];
  }

  #chatNews(seat: SeatRow, view: View, { snapshot, chat }: Seen): readonly ChatMessage[] {
    const fresh = view.allowed.chat ? chat.filter(({ number }) => number > this.#chat) : [];
    this.#chat = fresh.at(-1)?.number ?? this.#chat;
    const messages = numbered(readableBy(snapshot.room, seat, fresh), this.#chatNumber);
    this.#chatNumber = messages.at(-1)?.number ?? this.#chatNumber;
    return messages;
  }

  #captionNews(seat: SeatRow, { snapshot, captions }: Seen): readonly CaptionRow[] {
    const spoken = captions.filter(
      ({ number, seat_id: id, role }) =>
        number > this.#caption && sees(snapshot.room, seat, { id, role }),
    );
    this.#caption = captions.at(-1)?.number ?? this.#caption;
    return spoken;
  }

  /**
   * A signal of theirs on its way to a peer or, as far as it may get it, to a capture.
   *
   * @returns undefined if they may not know of the peer
   */
  signalTo(meetingId: string, to: string, data: string): readonly Message[] | undefined {
    const isPeer = this.#peers.has(to) && this.#isOther(to);
    if (!isPeer && !this.#receivers.some(({ peerId }) => peerId === to)) return undefined;
    const passed = isPeer ? data : this.member.forCapture(data);
    const signal = { type: "signal", from: this.member.seatId } as const;
    return passed === undefined
      ? []
      : [{ meetingId, seatId: to, message: { ...signal, data: passed } }];
  }
}
