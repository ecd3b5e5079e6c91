import type { Medium } from "../../../contract/meetings/commands.ts";
import type { MediaPath } from "../../../contract/meetings/meetings.ts";
import type { EndReason, ServerMessage } from "../../../contract/meetings/socket.ts";
import type { CaptionRow } from "../../db/live-tables.ts";
import type { SeatRow } from "../../db/meeting-tables.ts";
import type { Database } from "../../db/open.ts";
import { lobbyOf, type Views, viewsOf } from "../people/view.ts";
import { chatAfter, numbered, readableBy, type Written } from "../record/chat.ts";
import { sees } from "../state/allowed.ts";
import { endedBy, leaveMessages, type Message, mutedBy, takeMessages } from "../state/messages.ts";
import { captionsAfter, presentSpoken } from "../state/runs.ts";
import { hidesOtherwise, loadSnapshot, reasonsOf, type Snapshot } from "../state/snapshot.ts";
import { type Known, type Member, newcomer, signalTo } from "./member.ts";
import { SignalPost } from "./signals.ts";
import { type Follower, isIdle, newWatch, type Watch } from "./watch.ts";

/*
 * Keeps the people who are connected to this process up to date. Only the database knows the state of a
 * meeting: an announcement makes the hub look at it, and the hub also looks at intervals. So people on
 * different processes see the same, and a lost announcement costs a moment.
 */

/** How often a meeting is looked at without an announcement. */
const LOOK_MS = 3_000;
/** The shortest time between two looks at a meeting. */
const PAUSE_MS = 40;

/** What one look has found. */
interface Seen {
  readonly snapshot: Snapshot;
  readonly views: Views;
  readonly chat: readonly Written[];
  readonly captions: readonly CaptionRow[];
}

export interface Hub {
  /** Adds somebody's socket; an older one of the same seat is closed. */
  add(meetingId: string, member: Member): void;
  /** Removes a socket, unless a newer one has taken its place. */
  remove(meetingId: string, member: Member): void;
  /** Calls the follower with each look that begins from now on. @returns a function that stops it */
  follow(meetingId: string, follower: Follower): () => void;
  /** Sends messages to sockets on any process. Never throws. */
  deliver(messages: readonly Message[]): void;
  /** Passes a signal to another browser. @returns false if the sender may not know of it */
  signal(meetingId: string, from: string, to: string, data: string): boolean;
  /** Stops looking. */
  stop(): Promise<void>;
}

export const startHub = (
  database: Database,
  {
    processId,
    mediaOf,
    onMuted,
    onError,
  }: {
    readonly processId: string;
    /** How the media of a seat travel. */
    readonly mediaOf: (snapshot: Snapshot, seat: SeatRow) => MediaPath;
    /** Called after a moderator's command to mute people ran on this process. */
    readonly onMuted?: (
      meetingId: string,
      seatIds: readonly string[],
      media: readonly Medium[],
    ) => void;
    readonly onError: (error: unknown) => void;
  },
): Hub => {
  const watches = new Map<string, Watch>();
  const post = new SignalPost(database, onError);

  const remove = (watch: Watch, member: Member): void => {
    if (watch.members.get(member.seatId)?.member !== member) return;
    watch.members.delete(member.seatId);
    dropIdle(watch);
  };
  /** Sends a message; `ended` is the last one, and closes the socket. */
  const pass = (watch: Watch, { member }: Known, message: ServerMessage): void => {
    member.send(message);
    if (message.type !== "ended") return;
    member.close();
    remove(watch, member);
  };
  const end = (watch: Watch, known: Known, reason: EndReason): void =>
    pass(watch, known, endedBy(reason));

  /**
   * Ends a socket whose seat has a later one. If the later one has another ticket, the person has entered
   * elsewhere. With the same ticket, one page has connected twice and has given up one of the two sockets:
   * if this is the one it still uses, it connects again.
   */
  const giveWay = (watch: Watch, known: Known, ticketDigest: string): void => {
    const { member } = known;
    if (member.ticketDigest !== ticketDigest) end(watch, known, "moved");
    else {
      member.drop();
      remove(watch, member);
    }
  };

  const look = async (watch: Watch): Promise<void> => {
    // Only these: somebody who comes in during the read may have a seat that the read did not find.
    const here = [...watch.members];
    const followers = [...watch.followers];
    const { meetingId } = watch;
    const snapshot = await loadSnapshot(database.read, meetingId);
    for (const follower of followers) follower(snapshot);
    const seats = new Map(snapshot?.seats.map((seat) => [seat.id, seat]));
    for (const [seatId, known] of here) {
      const seat = seats.get(seatId);
      if (seat && seat.connection > known.member.connection)
        giveWay(watch, known, seat.ticket_digest);
    }
    // Taken after the snapshot: if that shows the end of the meeting, its message is here too.
    const seatIds = [...watch.members.keys()];
    for (const sent of await takeMessages(database, { meetingId, processId, seatIds })) {
      const known = watch.members.get(sent.seat_id);
      if (known) pass(watch, known, JSON.parse(sent.message));
    }
    const gone = here.filter(([id, known]) => !seats.has(id) && watch.members.get(id) === known);
    const goneIds = gone.map(([seatId]) => seatId);
    const reasons = await reasonsOf(database.read, goneIds);
    for (const [id, known] of gone) end(watch, known, reasons.get(id) ?? "room_deleted");
    // A meeting may have followers here, but no socket.
    if (!snapshot || watch.members.size === 0) return;
    const views = viewsOf(snapshot, watch.peers);
    for (const id of watch.peers.keys()) if (!seats.has(id)) watch.peers.delete(id);
    // People who come in from here on get everything from the next look.
    const members = [...watch.members.values()];
    const readers = members.filter(({ member: { seatId } }) => views.readsChat(seats.get(seatId)));
    const chat =
      readers.length === 0
        ? []
        : await chatAfter(
            database.read,
            snapshot.meeting,
            snapshot.room,
            Math.min(...readers.map(({ chat }) => chat)),
          );
    const captions = await captionsAfter(
      database.read,
      snapshot.runs,
      Math.min(...members.map(({ caption }) => caption ?? 0)),
    );
    const hasWords = chat.length > 0 || captions.length > 0;
    if (hasWords && (await hidesOtherwise(database.read, snapshot))) return lookSoon(watch);
    for (const known of members) {
      const seat = seats.get(known.member.seatId);
      if (seat?.state === "waiting") tellLobby(known, snapshot, seat);
      else if (seat) tell(known, seat, { snapshot, views, chat, captions });
    }
  };

  const tellLobby = (known: Known, snapshot: Snapshot, seat: SeatRow): void => {
    const message = { type: "lobby" as const, ...lobbyOf(snapshot, seat) };
    const text = JSON.stringify(message);
    if (text !== known.lobby) known.member.send(message);
    known.lobby = text;
  };

  const tell = (
    known: Known,
    seat: SeatRow,
    { snapshot, views, chat: all, captions }: Seen,
  ): void => {
    const view = views.of(seat);
    const peers = views.peersOf(seat);
    const parts = new Map(Object.entries(view).map(([name, part]) => [name, JSON.stringify(part)]));
    const { parts: before, peers: peersBefore } = known;
    known.parts = parts;
    known.peers = peers;
    known.reached = new Set([...peers.keys(), ...view.receivers.map(({ peerId }) => peerId)]);
    const fresh = view.allowed.chat ? all.filter(({ number }) => number > known.chat) : [];
    known.chat = fresh.at(-1)?.number ?? known.chat;
    const chat = numbered(readableBy(snapshot.room, seat, fresh), known.chatNumber);
    known.chatNumber = chat.at(-1)?.number ?? known.chatNumber;
    if (!before) {
      const media = mediaOf(snapshot, seat);
      known.caption = captions.at(-1)?.number ?? 0;
      known.member.send({ type: "welcome", ...view, media, chat, peers: [...peers.values()] });
      return;
    }
    const changed = Object.fromEntries(
      Object.entries(view).filter(([name]) => before.get(name) !== parts.get(name)),
    );
    if (Object.keys(changed).length > 0) known.member.send({ type: "changed", ...changed });
    const came = [...peers].filter(([id, peer]) => peersBefore.get(id) !== peer);
    const gone = [...peersBefore.keys()].filter((id) => !peers.has(id));
    if (came.length > 0 || gone.length > 0) {
      known.member.send({ type: "peers", changed: came.map(([, peer]) => peer), gone });
    }
    if (chat.length > 0) known.member.send({ type: "chat", messages: chat });
    const spoken = captions.filter(
      ({ number, seat_id: id, role }) =>
        number > (known.caption ?? 0) && sees(snapshot.room, seat, { id, role }),
    );
    known.caption = captions.at(-1)?.number ?? known.caption;
    if (spoken.length > 0)
      known.member.send({ type: "captions", spoken: spoken.map(presentSpoken) });
  };

  const deliver = (messages: readonly Message[]): void => {
    const muted = mutedBy(messages);
    if (muted) onMuted?.(muted.meetingId, muted.seatIds, muted.media);
    const elsewhere = messages.filter(({ meetingId, seatId, message }) => {
      const watch = watches.get(meetingId);
      const here = watch?.members.get(seatId);
      if (watch && here) pass(watch, here, message);
      return here === undefined;
    });
    if (elsewhere.length === 0) return;
    database
      .change((tx) => leaveMessages(tx, elsewhere))
      .then(() => database.announcements.announce(elsewhere.map(({ meetingId }) => meetingId)))
      .catch(onError);
  };

  /** Looks as soon as possible, and once more if an announcement arrives during the look. */
  const lookSoon = (watch: Watch): void => {
    watch.isStale = true;
    watch.looking ??= (async () => {
      while (watch.isStale && !isIdle(watch)) {
        watch.isStale = false;
        await look(watch).catch(onError);
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
      watch.looking = undefined;
    })();
  };

  const lookAtAll = (): void => {
    for (const watch of watches.values()) lookSoon(watch);
  };
  const unlisten = database.announcements.listen((meetingId) => {
    if (meetingId === undefined) return lookAtAll();
    const watch = watches.get(meetingId);
    if (watch) lookSoon(watch);
  });
  const timer = setInterval(lookAtAll, LOOK_MS).unref();

  const watchOf = (meetingId: string): Watch => {
    const watch = watches.get(meetingId) ?? newWatch(meetingId);
    watches.set(meetingId, watch);
    return watch;
  };
  const dropIdle = (watch: Watch): void => {
    if (isIdle(watch) && watches.get(watch.meetingId) === watch) watches.delete(watch.meetingId);
  };

  return {
    follow(meetingId, follower) {
      const watch = watchOf(meetingId);
      watch.followers.add(follower);
      lookSoon(watch);
      return () => {
        watch.followers.delete(follower);
        dropIdle(watch);
      };
    },
    add(meetingId, member) {
      const watch = watchOf(meetingId);
      const former = watch.members.get(member.seatId);
      const known = newcomer(member);
      if (former && former.member.connection > member.connection)
        return giveWay(watch, known, former.member.ticketDigest);
      watch.members.set(member.seatId, known);
      if (former) giveWay(watch, former, member.ticketDigest);
      lookSoon(watch);
    },
    remove(meetingId, member) {
      const watch = watches.get(meetingId);
      if (watch) remove(watch, member);
    },
    deliver,
    signal(meetingId, from, to, data) {
      const watch = watches.get(meetingId);
      const known = watch?.members.get(from);
      if (watch === undefined || known?.reached.has(to) !== true) return false;
      const here = watch.members.get(to);
      for (const signal of signalTo(meetingId, to, data, known)) {
        if (here) pass(watch, here, signal.message);
        else post.leave(signal, Buffer.byteLength(data));
      }
      return true;
    },
    async stop() {
      clearInterval(timer);
      await unlisten();
      await post.stop();
      await Promise.all([...watches.values()].map(({ looking }) => looking));
    },
  };
};
