import { freshLevel } from "./fresh-level.ts";
import { attachTrack, isSound, type Received, type Source, sources } from "./media.ts";
import { newWay, SLOW, stateOf, wayAfter } from "./way.ts";

/** A message between two browsers; empty: a greeting, which asks for an offer. */
export interface Signal {
  readonly description?: RTCSessionDescriptionInit | null;
  readonly candidate?: RTCIceCandidateInit | null;
}

export interface LinkOptions {
  /** Yields if both sides send offers at once (perfect negotiation, W3C WebRTC 1.0, section 10.7). */
  readonly polite: boolean;
  readonly iceServers: RTCIceServer[];
  readonly send: (signal: Signal) => void;
  readonly onChange: () => void;
  /** The tracks to send, and whether they may be sent. */
  readonly track: (source: Source) => MediaStreamTrack | null;
  readonly may: (source: Source) => boolean;
  /** The highest bit rate of a picture, and the factor by which it is made smaller. */
  readonly quality: () => { readonly bitrate: number; readonly smaller: number };
}

/** The connection with one other browser. */
export interface Link {
  readonly receive: (signal: Signal) => Promise<void>;
  /** Updates what is sent, after tracks or permissions have changed. */
  readonly arrange: () => Promise<void>;
  /** Called after signals may have been lost: negotiates again. */
  readonly resume: () => Promise<void>;
  readonly received: () => Received;
  readonly level: () => number;
  readonly stats: () => Promise<readonly RTCStats[]>;
  readonly close: () => void;
}

/** What somebody else's browser sends may be anything: it ends nothing but its own connection. */
export const misfit = (failure: unknown): void => console.warn("A signal does not fit", failure);

const kindOf = (source: Source) => (isSound(source) ? "audio" : "video");

export const openLink = (options: LinkOptions): Link => {
  const { polite, send, onChange, track, may, quality } = options;
  const pc = new RTCPeerConnection({ iceServers: options.iceServers, bundlePolicy: "max-bundle" });
  let isOffering = false;
  let isIgnoring = false;
  let way = newWay(performance.now());
  const level = freshLevel();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let arranging: Promise<void> = Promise.resolve();

  const direction = (source: Source) => (may(source) ? "sendrecv" : "recvonly");

  const watch = (): void => {
    clearTimeout(timer);
    way = wayAfter(way, pc.connectionState === "connected", performance.now());
    if (way.isUp || pc.connectionState === "closed") return;
    timer = setTimeout(onChange, Math.ceil(way.since + SLOW - performance.now()) + 1);
  };

  const tune = async (sender: RTCRtpSender): Promise<void> => {
    const parameters = sender.getParameters();
    const [encoding] = parameters.encodings;
    if (encoding === undefined) return;
    const { bitrate, smaller } = quality();
    if (encoding.maxBitrate === bitrate && encoding.scaleResolutionDownBy === smaller) return;
    encoding.maxBitrate = bitrate;
    encoding.scaleResolutionDownBy = smaller;
    try {
      await sender.setParameters(parameters);
    } catch (failure) {
      // The browser refuses while the connection is being changed; the next change tries again.
      console.warn("The quality of the picture stays as it was", failure);
    }
  };

  /** What still waits when the connection closes fails, and nobody needs it. */
  const unlessClosed = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (failure) {
      if (pc.signalingState !== "closed") throw failure;
    }
  };

  const arrangeNow = async (): Promise<void> => {
    const transceivers = pc.getTransceivers();
    for (const [index, source] of sources.entries()) {
      const transceiver = transceivers[index];
      // The other side may have ended this part for good.
      if (transceiver === undefined || transceiver.direction === "stopped") continue;
      const wanted = direction(source);
      if (transceiver.direction !== wanted) transceiver.direction = wanted;
      const sent = may(source) ? track(source) : null;
      if (transceiver.sender.track !== sent) await transceiver.sender.replaceTrack(sent);
      if (source === "video" && sent !== null) await tune(transceiver.sender);
    }
  };

  /** One after the other: a sender has its new track only once the browser has replaced the former one. */
  const arrange = (): Promise<void> => {
    const done = arranging.then(arrangeNow);
    arranging = done.catch(() => {});
    return done;
  };

  const offerAgain = (): void => {
    if (pc.signalingState === "have-local-offer") {
      send({ description: pc.localDescription });
    } else if (pc.connectionState !== "connected" && pc.remoteDescription !== null) {
      pc.restartIce();
    }
  };

  pc.onicecandidate = ({ candidate }) => {
    if (candidate !== null) send({ candidate: candidate.toJSON() });
  };
  pc.ontrack = ({ track: arrived }) => {
    arrived.onmute = onChange;
    arrived.onunmute = onChange;
    onChange();
  };
  pc.onconnectionstatechange = () => {
    if (pc.connectionState === "failed") pc.restartIce();
    watch();
    onChange();
  };
  const offer = async (): Promise<void> => {
    // The side that does not yield creates the parts of the connection, so both have the same order.
    if (pc.getTransceivers().length === 0) return;
    try {
      isOffering = true;
      await pc.setLocalDescription();
      send({ description: pc.localDescription });
    } finally {
      isOffering = false;
    }
  };
  pc.onnegotiationneeded = () => unlessClosed(offer).catch(misfit);

  const takeDescription = async (description: RTCSessionDescriptionInit): Promise<void> => {
    if (description.type === "answer" && pc.signalingState !== "have-local-offer") return;
    const collides = description.type === "offer" && (isOffering || pc.signalingState !== "stable");
    isIgnoring = !polite && collides;
    if (isIgnoring) return;
    await pc.setRemoteDescription(description);
    if (description.type === "offer") {
      await arrange();
      await pc.setLocalDescription();
      send({ description: pc.localDescription });
    }
    // Sets what needs a finished negotiation, such as the bit rate.
    await arrange();
    onChange();
  };

  if (polite) send({});
  else {
    for (const source of sources) {
      pc.addTransceiver(kindOf(source), { direction: direction(source) });
    }
    void unlessClosed(arrange).catch(misfit);
  }
  watch();

  return {
    receive: async (signal) => {
      const { description } = signal;
      if (description) await unlessClosed(() => takeDescription(description));
      else if (signal.candidate) {
        try {
          await pc.addIceCandidate(signal.candidate);
        } catch (failure) {
          if (!isIgnoring) console.warn("A candidate does not fit", failure);
        }
      } else if (!polite) offerAgain();
    },
    arrange: () => unlessClosed(arrange),
    resume: async () => {
      // If both have offered, the offer of the side that yields is ignored: it needs the other one's.
      if (polite) send({});
      offerAgain();
      const isSettled = pc.connectionState === "connected" && pc.signalingState === "stable";
      // The other side may still wait for an answer: it takes an offer instead.
      if (!polite && isSettled) await unlessClosed(offer);
    },
    received: () => {
      const transceivers = pc.getTransceivers();
      const tracks = Object.fromEntries(
        sources.flatMap((source, index) => {
          const arrived = transceivers[index]?.receiver.track;
          // The other side decides in which order it sends, and may send pictures as sound.
          if (arrived === undefined || arrived.kind !== kindOf(source)) return [];
          return [[source, attachTrack(arrived)]];
        }),
      );
      return { tracks, link: stateOf(way, performance.now()) };
    },
    level: () => level(pc.getTransceivers()[0]?.receiver.getSynchronizationSources() ?? []),
    stats: async () => [...(await pc.getStats()).values()],
    close: () => {
      clearTimeout(timer);
      pc.onconnectionstatechange = null;
      pc.close();
    },
  };
};
