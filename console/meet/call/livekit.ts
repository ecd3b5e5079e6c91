import {
  DisconnectReason,
  type LocalTrackPublication,
  type RemoteTrackPublication,
  Room,
  RoomEvent,
  setLogLevel,
  Track,
} from "livekit-client";
import {
  type AdapterOptions,
  type Attach,
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

/** After the client has given up by itself; the meeting socket decides when the seat has ended. */
const AGAIN = 2_000;

const attachments = new WeakMap<Track, Attach>();
/** The engine's own way to show a track: it then sends only the size that is seen. */
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

/** By the media engine. */
export const openLivekit = ({
  ticket,
  onChange,
}: Pick<AdapterOptions, "ticket" | "onChange">): MediaAdapter => {
  const room = new Room({
    adaptiveStream: true,
    dynacast: true,
    stopLocalTrackOnUnpublish: false,
    publishDefaults: { simulcast: true, stopMicTrackOnMute: false },
  });
  const wanted = new Map<Source, MediaStreamTrack>();
  let turn: Promise<void> = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  const sent = (source: Source): LocalTrackPublication | undefined =>
    room.localParticipant.getTrackPublication(nameOf[source]);

  /** Makes what is sent what is wanted. The microphone is muted, so that it is back at once. */
  const settle = async (source: Source): Promise<void> => {
    if (room.state !== "connected") return;
    const track = wanted.get(source);
    const publication = sent(source);
    const current = publication?.track;
    if (track !== undefined && current?.mediaStreamTrack === track) {
      if (publication?.isMuted) await publication.unmute();
    } else if (track === undefined && source === "audio") {
      await publication?.mute();
    } else {
      if (current !== undefined) await room.localParticipant.unpublishTrack(current, false);
      if (track !== undefined) {
        await room.localParticipant.publishTrack(track, { source: nameOf[source] });
      }
    }
  };

  /** One after the other: publishing twice at once is refused. */
  const inTurn = (source: Source): Promise<void> => {
    const next = turn.then(() => settle(source));
    turn = next.catch(() => {});
    return next;
  };

  const connect = async (): Promise<void> => {
    try {
      // The page's own address, as for the meeting socket: PUBLIC_URL may be another one.
      await room.connect(new URL("/api/meeting", location.href).href, ticket);
      await Promise.all(sources.map(inTurn));
    } catch (failure) {
      if (isClosed) return;
      console.warn("The media engine does not answer", failure);
      clearTimeout(timer);
      timer = setTimeout(() => void connect(), AGAIN);
    }
    onChange();
  };

  room
    .on(RoomEvent.TrackSubscribed, onChange)
    .on(RoomEvent.TrackUnsubscribed, onChange)
    .on(RoomEvent.ParticipantConnected, onChange)
    .on(RoomEvent.ParticipantDisconnected, onChange)
    .on(RoomEvent.Reconnected, onChange)
    // The meeting socket may have allowed something before the engine did; it was then refused.
    .on(RoomEvent.ParticipantPermissionsChanged, (_, { isLocal }) => {
      if (isLocal) void Promise.allSettled(sources.map(inTurn));
    })
    .on(RoomEvent.Disconnected, (reason) => {
      onChange();
      if (isClosed || reason === DisconnectReason.CLIENT_INITIATED) return;
      timer = setTimeout(() => void connect(), AGAIN);
    });
  void connect();

  const received = (publications: ReadonlyMap<string, RemoteTrackPublication>): Received => {
    const all = [...publications.values()];
    const tracks = Object.fromEntries(
      sources.flatMap((source) => {
        const found = all.find((one) => one.source === nameOf[source]);
        const attach = found && attachOf(found);
        return attach === undefined ? [] : [[source, attach]];
      }),
    );
    return { tracks, link: room.state === "connected" ? "connected" : "connecting" };
  };

  return {
    publish: (source, track) => {
      if (track === null) wanted.delete(source);
      else wanted.set(source, track);
      return inTurn(source);
    },
    // The engine and the gate decide who is connected, and what may be sent.
    update: () => {},
    receive: () => {},
    resume: () => {},
    people: () =>
      new Map(
        [...room.remoteParticipants.values()].map(({ identity, trackPublications }) => [
          identity,
          received(trackPublications),
        ]),
      ),
    level: (peerId) => room.getParticipantByIdentity(peerId)?.audioLevel ?? 0,
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      void room.disconnect(false);
    },
  };
};
