import { type ParticipantInfo, type TrackInfo, TrackType } from "@livekit/protocol";

/** The part of a person that another may know: everything, everything but video, or not even their ID. */
export type Sight = "all" | "audio" | "none";

/** Decides how much a person may know of the person in another seat. */
export type See = (seat: string) => Sight;

/** A person whom the client knows. */
interface Shown {
  readonly sid: string;
  readonly sight: Sight;
  /** The tracks that the client may subscribe to, by ID, with whether each is video. */
  readonly tracks: ReadonlyMap<string, boolean>;
}

/**
 * Whom a client has been shown since it joined, by seat with LiveKit's ID: also those who were hidden while its
 * connection was lost, of which it may not have heard. Undefined: it joined at another process.
 */
export interface Memory {
  people: Map<string, string> | undefined;
}

const isVideo = ({ type }: TrackInfo): boolean => type === TrackType.VIDEO;

/**
 * Returns whether a track is of the kind that its publisher said. LiveKit does not compare that with what arrives,
 * but it reports the codecs.
 */
const isOfItsKind = (track: TrackInfo): boolean =>
  [track, ...track.codecs].every(
    ({ mimeType }) => !(isVideo(track) ? /^audio\//i : /^video\//i).test(mimeType),
  );

/**
 * The knowledge of one client about the others in its meeting.
 *
 * @param seat the client's own
 * @param known whom it has been shown on earlier connections, by seat with LiveKit's ID; kept up to date
 */
export const openView = (seat: string, first: See, known = new Map<string, string>()) => {
  let see = first;
  let ownSid = "";
  const shown = new Map<string, Shown>();
  /*
   * LiveKit's IDs of these people and of their tracks, kept beside them for speed. Each client gets messages about
   * everybody, such as how good their connections are. If each of those searched for each person, the cost would grow
   * with the third power of the meeting.
   */
  const sids = new Set<string>();
  const trackSids = new Set<string>();
  const hidden = new Set<string>();
  /** Those of `known` of whom this connection has said that they are gone. */
  const taken = new Set<string>();

  /** The people who may still be in the client's list although it must not know of them: each once. */
  const overdue = () => {
    // Each message asks, so nothing is copied.
    const late: { readonly identity: string; readonly sid: string }[] = [];
    for (const [identity, sid] of known) {
      if (shown.has(identity) || taken.has(identity) || see(identity) !== "none") continue;
      taken.add(identity);
      late.push({ identity, sid });
    }
    return late;
  };

  const mayTrack = (sid: string): boolean => trackSids.has(sid);

  /** Takes somebody out of what is shown. @returns whether they were */
  const drop = (identity: string): boolean => {
    const former = shown.get(identity);
    if (former === undefined) return false;
    sids.delete(former.sid);
    for (const sid of former.tracks.keys()) trackSids.delete(sid);
    return shown.delete(identity);
  };
  const put = (identity: string, one: Shown): void => {
    drop(identity);
    shown.set(identity, one);
    sids.add(one.sid);
    for (const sid of one.tracks.keys()) trackSids.add(sid);
  };

  return {
    overdue,
    /** Returns whether the meeting has somebody of whom the client must not know. */
    hides: (): boolean => hidden.size > 0,
    isOwn: (identity: string): boolean => identity === seat,
    setOwnSid: (sid: string): void => {
      ownSid = sid;
    },
    /** Returns whether the client may know of this participant (LiveKit's ID, not the seat). */
    mayKnow: (sid: string): boolean => sid === ownSid || sids.has(sid),
    /** Returns whether the client may know of this track of somebody else. */
    mayTrack,
    /** Every track of these people that the client may subscribe to. */
    tracksOf: (identities: ReadonlySet<string>): string[] =>
      [...identities].flatMap((identity) => [...(shown.get(identity)?.tracks.keys() ?? [])]),
    /** Records somebody; returns what the client may know of them, undefined if that is nothing. */
    show(info: ParticipantInfo): ParticipantInfo | undefined {
      const sight = see(info.identity);
      if (sight === "none") {
        hidden.add(info.identity);
        return undefined;
      }
      info.tracks = info.tracks.filter(
        (track) => isOfItsKind(track) && (sight === "all" || !isVideo(track)),
      );
      const tracks = new Map(info.tracks.map((track) => [track.sid, isVideo(track)]));
      put(info.identity, { sid: info.sid, sight, tracks });
      known.set(info.identity, info.sid);
      taken.delete(info.identity);
      return info;
    },
    /** Somebody has left; returns whether the client knew of them. */
    forget(identity: string): boolean {
      hidden.delete(identity);
      known.delete(identity);
      return drop(identity);
    },
    /**
     * Changes what the client may see from now on.
     *
     * @returns who to hide, which tracks to end, and whether there is more to show, which only the
     *   engine can send
     */
    look(next: See) {
      see = next;
      const gone: { readonly identity: string; readonly sid: string }[] = [];
      const ended: string[] = [];
      let more = hidden.values().some((identity) => see(identity) !== "none");
      for (const [identity, { sid, sight: before, tracks }] of [...shown]) {
        const sight = see(identity);
        if (sight === before) continue;
        const kept = [...tracks].filter(
          ([, video]) => sight === "all" || (sight === "audio" && !video),
        );
        const left = new Map(kept);
        ended.push(...tracks.keys().filter((track) => !left.has(track)));
        if (sight === "none") {
          gone.push({ identity, sid });
          drop(identity);
          hidden.add(identity);
          taken.add(identity);
        } else {
          put(identity, { sid, sight, tracks: left });
          more = true;
        }
      }
      return { gone: [...gone, ...overdue()], ended, more };
    },
  };
};

export type MediaView = ReturnType<typeof openView>;
