import type { Peer } from "../../../contract/meetings/socket.ts";
import { ParleyError } from "../../kit/client.ts";
import { Link, misfit, type Signal } from "./link.ts";
import {
  type AdapterOptions,
  isSound,
  type MediaAdapter,
  maySend,
  type Received,
  type Source,
  seesPictures,
} from "./media.ts";

/** With one other person the picture is as good as possible; with several, they must share the bandwidth. */
const ALONE = { bitrate: 1_500_000, smaller: 1 };
const SEVERAL = { bitrate: 450_000, smaller: 2 };

/**
 * So often in a minute a person's page may begin a new connection: a reloaded one does. Each costs the other
 * side a connection, of which a browser has a limited number.
 */
const RENEWALS = 20;
const MINUTE = 60_000;

/** The pause after refused signals before their connections are negotiated again, in milliseconds. */
const AGAIN = 2_000;

/** A signal with the two connections that it is between: a page that is reloaded has a new one. */
type Marked = Signal & {
  /** The sender's. */
  readonly session: string;
  /** The receiver's, once the sender knows it. */
  readonly to?: string | undefined;
};

/** The two ends of a link. */
interface Ends {
  readonly own: string;
  /** Undefined until the other side has sent something. */
  other: string | undefined;
}

interface Known {
  readonly link: Link;
  readonly ends: Ends;
  /** True if the other side's connection is known: it can then have no other one. */
  isBound: boolean;
  /** Signals are handled one after the other. */
  turn: Promise<void>;
}

/** Returns whether this can begin a connection: a greeting, or an offer. */
const begins = ({ description, candidate }: Signal): boolean =>
  description ? description.type === "offer" : !candidate;

/**
 * Connects each browser with each other one: for rooms of two, and for small meetings without a media engine.
 */
export const openDirect = ({
  media,
  view: first,
  signal,
  onChange,
}: AdapterOptions): MediaAdapter => {
  const tracks = new Map<Source, MediaStreamTrack>();
  const links = new Map<string, Known>();
  /** Other people's connections whose links are closed: their signals may still be on their way. */
  const former = new Set<string>();
  /** When people began their last new connections. */
  const renewed = new Map<string, readonly number[]>();
  let view = first;
  /** People to whom a signal was refused. */
  const refused = new Set<string>();
  let again: ReturnType<typeof setTimeout> | undefined;

  /** Negotiates again, after the signals that have arrived. */
  const resume = (peerIds: Iterable<string>): void => {
    for (const peerId of peerIds) {
      const known = links.get(peerId);
      if (known) known.turn = known.turn.then(() => known.link.resume()).catch(misfit);
    }
  };

  const send = async (to: string, marked: Marked): Promise<void> => {
    try {
      await signal(to, JSON.stringify(marked));
    } catch (failure) {
      // After a lost connection `resume` is called anyway; otherwise the other person has left.
      if (!(failure instanceof ParleyError && failure.code === "too_many_requests")) return;
      refused.add(to);
      clearTimeout(again);
      again = setTimeout(() => {
        resume(refused);
        refused.clear();
      }, AGAIN);
    }
  };

  /** Viewers send nothing, so two of them need no connection. */
  const concerns = ({ peerType }: Peer): boolean =>
    !(peerType === "viewer" && view.you.peerType === "viewer");

  /** Returns whether a person may get this; a capture gets pictures only if it asks for them. */
  const gives = (peerId: string, source: Source): boolean => {
    if (!maySend(view.allowed, source)) return false;
    if (isSound(source)) return true;
    const receiver = view.receivers.find((one) => one.peerId === peerId);
    if (receiver !== undefined) return receiver.video;
    const peer = view.peers.find((one) => one.peerId === peerId);
    return peer !== undefined && seesPictures(view, peer);
  };

  const open = (peerId: string, other?: string): Known => {
    const ends: Ends = { own: crypto.getRandomValues(new Uint32Array(2)).join("-"), other };
    const link = new Link({
      polite: view.you.peerId < peerId,
      iceServers: media.iceServers as RTCIceServer[],
      send: (data) => void send(peerId, { session: ends.own, to: ends.other, ...data }),
      onChange,
      track: (source) => tracks.get(source) ?? null,
      may: (source) => gives(peerId, source),
      quality: () => (view.peers.filter(concerns).length > 1 ? SEVERAL : ALONE),
    });
    const known: Known = { link, ends, isBound: false, turn: Promise.resolve() };
    links.set(peerId, known);
    return known;
  };

  /** Opens a link unless there is one. A browser has a limited number: the next update tries again. */
  const openOnce = (peerId: string): void => {
    if (links.has(peerId)) return;
    try {
      open(peerId);
    } catch (failure) {
      misfit(failure);
    }
  };

  const close = (peerId: string): void => {
    const known = links.get(peerId);
    if (known?.ends.other !== undefined) former.add(known.ends.other);
    known?.link.close();
    links.delete(peerId);
  };

  const mayRenew = (peerId: string): boolean => {
    const now = performance.now();
    const last = (renewed.get(peerId) ?? []).filter((at) => now - at < MINUTE);
    const may = last.length < RENEWALS;
    renewed.set(peerId, may ? [...last, now] : last);
    return may;
  };

  const arrange = () => Promise.all([...links.values()].map(({ link }) => link.arrange()));

  const update: MediaAdapter["update"] = (next) => {
    view = next;
    const others = [...next.peers.filter(concerns), ...next.receivers];
    const wanted = new Set(others.map(({ peerId }) => peerId));
    for (const peerId of links.keys()) if (!wanted.has(peerId)) close(peerId);
    for (const peerId of wanted) openOnce(peerId);
    for (const peerId of renewed.keys()) if (!wanted.has(peerId)) renewed.delete(peerId);
    void arrange().catch(misfit);
  };

  const take = (from: string, sent: Marked): void => {
    let known = links.get(from);
    // The person is not listed yet: their page greets again, or gets an offer once they are listed.
    if (known === undefined) return;
    const { own, other } = known.ends;
    const isNew = sent.session !== other;
    // Meant for an earlier connection. The first signals of a new connection are still accepted.
    if (sent.to !== own) {
      if (former.has(sent.session)) return;
      if (sent.to !== undefined && !(isNew && begins(sent))) return;
    }
    if (isNew && other !== undefined && !mayRenew(from)) return;
    if (isNew && known.isBound) {
      close(from);
      known = open(from, sent.session);
    } else if (isNew) {
      if (other !== undefined) former.add(other);
      known.ends.other = sent.session;
    }
    if (sent.description) known.isBound = true;
    const { link } = known;
    known.turn = known.turn.then(() => link.receive(sent)).catch(misfit);
  };

  update(first);
  return {
    publish: async (source, track) => {
      if (track === null) tracks.delete(source);
      else tracks.set(source, track);
      await arrange();
    },
    update,
    // The report of the page says it.
    hush: () => {},
    receive: (from, data) => {
      try {
        take(from, JSON.parse(data) as Marked);
      } catch (failure) {
        misfit(failure);
      }
    },
    resume: () => resume(links.keys()),
    people: () =>
      new Map<string, Received>(
        view.peers.flatMap(({ peerId }) => {
          const known = links.get(peerId);
          return known === undefined ? [] : [[peerId, known.link.received()]];
        }),
      ),
    own: () => "connected",
    stats: async () =>
      new Map(
        await Promise.all(
          [...links.values()].map(async ({ link }) => [link, await link.stats()] as const),
        ),
      ),
    level: (peerId) => links.get(peerId)?.link.level() ?? 0,
    close: () => {
      clearTimeout(again);
      for (const peerId of [...links.keys()]) close(peerId);
    },
  };
};
