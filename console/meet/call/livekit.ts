import {
  DisconnectReason,
  PublishTrackError,
  type RemoteTrackPublication,
  Room,
  RoomEvent,
  setLogLevel,
  Track,
} from "livekit-client";
import { base } from "../../kit/base.ts";
import { EngineWays } from "./engine-ways.ts";
import {
  type AdapterOptions,
  type Attach,
  type CallView,
  type MediaAdapter,
  type Received,
  type Source,
  sources,
} from "./media.ts";

const nameOf: Readonly<Record<Source, Track.Source>> = {
  audio: Track.Source.Microphone,
  video: Track.Source.Camera,
  share: Track.Source.ScreenShare,
  shareAudio: Track.Source.ScreenShareAudio,
};

/** The pause before reconnecting; the meeting socket decides when the seat has ended. */
const AGAIN = 2_000;
/** A source that could not be sent on this many connections in a row is turned off. */
const MOST_FAILURES = 4;

/** Returns whether the engine does not yet allow what the meeting socket already allows. */
const isTooEarly = (failure: unknown): boolean =>
  failure instanceof PublishTrackError && failure.status === 403;

const attachments = new WeakMap<Track, Attach>();
/** The engine's own way to show a track: it then sends only the displayed size. */
const attachOf = ({ track }: RemoteTrackPublication): Attach | undefined => {
  if (track === undefined) return undefined;
  const known = attachments.get(track);
  if (known !== undefined) return known;
  const attach: Attach = (element) => {
    track.attach(element);
    return () => void track.detach(element);
  };
  attachments.set(track, attach);
  return attach;
};

// The client's other messages are for its developers.
setLogLevel("warn");

/** Carries media through the engine. */
export const openLivekit = ({
  ticket,
  onChange,
  onFailure,
}: Pick<AdapterOptions, "ticket" | "onChange" | "onFailure">): MediaAdapter => {
  const wanted = new Map<Source, MediaStreamTrack>();
  /** The devices that are on and give nothing. */
  const silent = new Set<Source>();
  /** The number of connections in a row on which a source could not be sent. */
  const failures = new Map<Source, number>();
  /** Undefined during the pause before the next one. */
  let room: Room | undefined;
  let view: CallView | undefined;
  const ways = new EngineWays({
    room: () => room,
    peers: () => view?.peers ?? [],
    onChange,
  });
  let turn: Promise<void> = Promise.resolve();
  /** Set while waiting to reconnect. */
  let timer: ReturnType<typeof setTimeout> | undefined;

  const canSend = (mine: Room | undefined): mine is Room =>
    mine !== undefined && mine === room && mine.state === "connected";

  /**
   * Publishes what is wanted. A microphone that is off is muted instead of unpublished, so that it can come
   * back at once.
   */
  const settle = async (source: Source): Promise<void> => {
    const mine = room;
    if (!canSend(mine)) return;
    const { localParticipant } = mine;
    const track = wanted.get(source);
    const publication = localParticipant.getTrackPublication(nameOf[source]);
    const current = publication?.track;
    if (track?.readyState === "ended") return onFailure?.(source, track, "unplugged");
    if (track !== undefined && current?.mediaStreamTrack === track) {
      if (publication?.isMuted) await publication.unmute();
    } else if (track === undefined && source === "audio") {
      await publication?.mute();
    } else {
      if (current !== undefined) await localParticipant.unpublishTrack(current, false);
      if (track !== undefined) {
        // The client would turn on a microphone that has been turned off since, and stop a device after 15
        // seconds if the connection has ended.
        if (wanted.get(source) !== track || !canSend(mine)) return;
        await localParticipant.publishTrack(track, { source: nameOf[source] });
      }
    }
    failures.delete(source);
    // The engine says what is on: others are to see that nothing comes.
    const sent = localParticipant.getTrackPublication(nameOf[source])?.track;
    await (silent.has(source) ? sent?.pauseUpstream() : sent?.resumeUpstream());
  };

  /** One at a time: publishing the same source twice at once is refused. */
  const inTurn = (source: Source): Promise<void> => {
    const mine = room;
    const next = turn.then(() => (mine === room ? settle(source) : undefined));
    turn = next.catch((failure) => {
      const track = wanted.get(source);
      if (track?.readyState === "ended") return onFailure?.(source, track, "unplugged");
      if (mine === undefined || mine !== room || isTooEarly(failure)) return;
      const count = (failures.get(source) ?? 0) + 1;
      failures.set(source, count);
      if (track === undefined || count < MOST_FAILURES) {
        return replace(mine, failure, AGAIN * 2 ** (count - 1));
      }
      failures.delete(source);
      onFailure?.(source, track, "unsent");
    });
    return next;
  };

  const settleAll = (): void => {
    // Each failure is handled in its own step.
    for (const source of sources) inTurn(source).catch(() => {});
  };

  /**
   * Gives a connection up for a new one after a pause. This also discards whatever state the engine or its
   * client had after the loss: a track that was published while the network was dead can never be published
   * on the old connection. What still arrives on the old one is received until then.
   */
  const replace = (mine: Room, failure: unknown, wait = AGAIN): void => {
    if (mine !== room) return;
    if (mine.state === "disconnected") leave();
    else if (timer !== undefined) return;
    console.warn("The connection with the media engine is replaced", failure);
    timer = setTimeout(() => {
      leave();
      void connect();
    }, wait);
    ways.look();
  };

  const leave = (): void => {
    const old = room;
    room = undefined;
    turn = Promise.resolve();
    clearTimeout(timer);
    timer = undefined;
    void old?.disconnect(false);
  };

  const look = (): void => ways.look();

  const connect = async (): Promise<void> => {
    const mine = new Room({
      adaptiveStream: true,
      dynacast: true,
      stopLocalTrackOnUnpublish: false,
      // A page that only seems to close, as after a click on a mail address, continues; `giveBack` ends the
      // seat of a page that really closes.
      disconnectOnPageLeave: false,
      publishDefaults: { simulcast: true, stopMicTrackOnMute: false },
    });
    room = mine;
    mine
      .on(RoomEvent.TrackSubscribed, onChange)
      .on(RoomEvent.TrackUnsubscribed, onChange)
      .on(RoomEvent.ParticipantConnected, look)
      .on(RoomEvent.ParticipantActive, look)
      .on(RoomEvent.ParticipantDisconnected, look)
      .on(RoomEvent.ConnectionStateChanged, look)
      .on(RoomEvent.Reconnected, () => {
        settleAll();
        onChange();
      })
      // The meeting socket may have allowed something before the engine did; the engine then refused it.
      .on(RoomEvent.ParticipantPermissionsChanged, (_, { isLocal }) => {
        if (isLocal) settleAll();
      });
    try {
      // The page's own address, as for the meeting socket: PUBLIC_URL may be a different one.
      await mine.connect(new URL(`${base}/api/meeting`, location.href).href, ticket);
    } catch (failure) {
      return replace(mine, failure);
    }
    // Registered only here: before, the failure above says more.
    mine.on(RoomEvent.Disconnected, (reason = DisconnectReason.UNKNOWN_REASON) =>
      replace(mine, DisconnectReason[reason]),
    );
    settleAll();
    look();
  };
  void connect();

  const received = (peerId: string): Received => {
    const all = [...(room?.remoteParticipants.get(peerId)?.trackPublications.values() ?? [])];
    const tracks = Object.fromEntries(
      sources.flatMap((source) => {
        const found = all.find((one) => one.source === nameOf[source]);
        const attach = found && attachOf(found);
        return attach === undefined ? [] : [[source, attach]];
      }),
    );
    return { tracks, link: ways.of(peerId) };
  };

  return {
    publish: (source, track) => {
      if (track === null) wanted.delete(source);
      else wanted.set(source, track);
      return inTurn(source);
    },
    hush: (device, isSilent) => {
      if (silent.has(device) === isSilent) return;
      if (isSilent) silent.add(device);
      else silent.delete(device);
      inTurn(device).catch(() => {});
    },
    // The engine and the gate decide who is connected, and what may be sent.
    update: (next) => {
      view = next;
      look();
    },
    receive: () => {},
    resume: () => {},
    people: () => new Map(view?.peers.map(({ peerId }) => [peerId, received(peerId)])),
    own: () => ways.own(),
    stats: async () => {
      const { publisher, subscriber } = room?.engine.pcManager ?? {};
      const reports = await Promise.all([publisher?.getStats(), subscriber?.getStats()]);
      const all = reports.flatMap((report) => [...(report?.values() ?? [])]);
      return new Map(all.length === 0 ? [] : [[room, all]]);
    },
    level: (peerId) =>
      ways.hears(peerId) ? (room?.remoteParticipants.get(peerId)?.audioLevel ?? 0) : 0,
    close: () => {
      ways.close();
      leave();
    },
  };
};
