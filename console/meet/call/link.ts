import { freshLevel } from "./fresh-level.ts";
import { attachTrack, isSound, type Received, type Source, sources } from "./media.ts";
import { newWay, SLOW, stateOf, wayAfter } from "./way.ts";

/** The state of one side of a connection when the other side's description arrives. */
interface NegotiationState {
  /** Yields if both sides send offers at once (perfect negotiation, W3C WebRTC 1.0, section 10.7). */
  readonly polite: boolean;
  /** True while it makes an offer of its own. */
  readonly isOffering: boolean;
  readonly state: RTCSignalingState;
}

/**
 * The result for the other side's description. late: an answer that nobody waits for any more; ignored: an
 * offer that crosses one of the side that does not yield.
 */
export const fateOf = (
  type: RTCSdpType,
  { polite, isOffering, state }: NegotiationState,
): "taken" | "late" | "ignored" => {
  if (type === "answer" && state !== "have-local-offer") return "late";
  const collides = type === "offer" && (isOffering || state !== "stable");
  return collides && !polite ? "ignored" : "taken";
};

/** A message between two browsers; empty: a greeting, which asks for an offer. */
export interface Signal {
  readonly description?: RTCSessionDescriptionInit | null;
  readonly candidate?: RTCIceCandidateInit | null;
}

export interface LinkOptions {
  /** True if this side yields when both send offers at once. */
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

/** Another browser may send anything: it ends nothing but its own connection. */
export const misfit = (failure: unknown): void => console.warn("A signal does not fit", failure);

const kindOf = (source: Source) => (isSound(source) ? "audio" : "video");

/** The connection with one other browser. */
export class Link {
  readonly #options: LinkOptions;
  readonly #pc: RTCPeerConnection;
  readonly #level = freshLevel();
  /** True while an offer is being made. */
  #isOffering = false;
  /** True if the other side's last offer was ignored: so are its candidates. */
  #isIgnoring = false;
  #way = newWay(performance.now());
  #timer: ReturnType<typeof setTimeout> | undefined;
  #arranging: Promise<void> = Promise.resolve();

  /** Begins to connect. @throws Error if the browser has no connection left */
  constructor(options: LinkOptions) {
    this.#options = options;
    const { iceServers } = options;
    this.#pc = new RTCPeerConnection({ iceServers, bundlePolicy: "max-bundle" });
    this.#listen();
    if (options.polite) options.send({});
    else this.#begin();
    this.#watch();
  }

  /** Takes a signal of the other side. */
  async receive(signal: Signal): Promise<void> {
    const { description } = signal;
    if (description) await this.#unlessClosed(() => this.#takeDescription(description));
    else if (signal.candidate) await this.#takeCandidate(signal.candidate);
    else if (!this.#options.polite) this.#offerAgain();
  }

  /** Updates what is sent, after tracks or permissions have changed. */
  arrange(): Promise<void> {
    return this.#unlessClosed(() => this.#arrange());
  }

  /** Called after signals may have been lost: negotiates again. */
  async resume(): Promise<void> {
    const { polite, send } = this.#options;
    // If both have offered, the offer of the side that yields is ignored: it needs the other one's.
    if (polite) send({});
    this.#offerAgain();
    const { connectionState, signalingState } = this.#pc;
    const isSettled = connectionState === "connected" && signalingState === "stable";
    // The other side may still wait for an answer: it takes an offer instead.
    if (!polite && isSettled) await this.#unlessClosed(() => this.#offer());
  }

  /** The media that come from the other side. */
  received(): Received {
    const transceivers = this.#pc.getTransceivers();
    const tracks = Object.fromEntries(
      sources.flatMap((source, index) => {
        const arrived = transceivers[index]?.receiver.track;
        // The other side decides in which order it sends, and may send pictures as sound.
        if (arrived === undefined || arrived.kind !== kindOf(source)) return [];
        return [[source, attachTrack(arrived)]];
      }),
    );
    return { tracks, link: stateOf(this.#way, performance.now()) };
  }

  /** How loud the other side is, 0 to 1. */
  level(): number {
    const [sound] = this.#pc.getTransceivers();
    return this.#level(sound?.receiver.getSynchronizationSources() ?? []);
  }

  async stats(): Promise<readonly RTCStats[]> {
    return [...(await this.#pc.getStats()).values()];
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#pc.onconnectionstatechange = null;
    this.#pc.close();
  }

  #listen(): void {
    const pc = this.#pc;
    const { send, onChange } = this.#options;
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
      this.#watch();
      onChange();
    };
    pc.onnegotiationneeded = () => this.#unlessClosed(() => this.#offer()).catch(misfit);
  }

  /** The side that does not yield creates the parts of the connection, so both have the same order. */
  #begin(): void {
    for (const source of sources) {
      this.#pc.addTransceiver(kindOf(source), { direction: this.#directionOf(source) });
    }
    void this.arrange().catch(misfit);
  }

  /** Follows whether the connection is up, and says so when it has not been for a while. */
  #watch(): void {
    clearTimeout(this.#timer);
    const { connectionState } = this.#pc;
    this.#way = wayAfter(this.#way, connectionState === "connected", performance.now());
    if (this.#way.isUp || connectionState === "closed") return;
    const left = this.#way.since + SLOW - performance.now();
    this.#timer = setTimeout(this.#options.onChange, Math.ceil(left) + 1);
  }

  /** Calls that still wait when the connection closes fail, and nobody needs them. */
  async #unlessClosed(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (failure) {
      if (this.#pc.signalingState !== "closed") throw failure;
    }
  }

  async #offer(): Promise<void> {
    if (this.#pc.getTransceivers().length === 0) return;
    try {
      this.#isOffering = true;
      await this.#describe();
    } finally {
      this.#isOffering = false;
    }
  }

  /** Makes the description that is due, an offer or an answer, and sends it. */
  async #describe(): Promise<void> {
    await this.#pc.setLocalDescription();
    this.#options.send({ description: this.#pc.localDescription });
  }

  #offerAgain(): void {
    const pc = this.#pc;
    if (pc.signalingState === "have-local-offer") {
      this.#options.send({ description: pc.localDescription });
    } else if (pc.connectionState !== "connected" && pc.remoteDescription !== null) {
      pc.restartIce();
    }
  }

  async #takeDescription(description: RTCSessionDescriptionInit): Promise<void> {
    const { polite, onChange } = this.#options;
    const { signalingState: state } = this.#pc;
    const fate = fateOf(description.type, { polite, isOffering: this.#isOffering, state });
    if (fate === "late") return;
    this.#isIgnoring = fate === "ignored";
    if (this.#isIgnoring) return;
    await this.#pc.setRemoteDescription(description);
    if (description.type === "offer") {
      await this.#arrange();
      await this.#describe();
    }
    // Sets what needs a finished negotiation, such as the bit rate.
    await this.#arrange();
    onChange();
  }

  async #takeCandidate(candidate: RTCIceCandidateInit): Promise<void> {
    try {
      await this.#pc.addIceCandidate(candidate);
    } catch (failure) {
      if (!this.#isIgnoring) console.warn("A candidate does not fit", failure);
    }
  }

  #directionOf(source: Source): RTCRtpTransceiverDirection {
    return this.#options.may(source) ? "sendrecv" : "recvonly";
  }

  /** One after the other: a sender has its new track only once the browser has replaced the former one. */
  #arrange(): Promise<void> {
    const done = this.#arranging.then(() => this.#arrangeNow());
    this.#arranging = done.catch(() => {});
    return done;
  }

  async #arrangeNow(): Promise<void> {
    const { may, track } = this.#options;
    const transceivers = this.#pc.getTransceivers();
    for (const [index, source] of sources.entries()) {
      const transceiver = transceivers[index];
      // The other side may have ended this part permanently.
      if (transceiver === undefined || transceiver.direction === "stopped") continue;
      const wanted = this.#directionOf(source);
      if (transceiver.direction !== wanted) transceiver.direction = wanted;
      const sent = may(source) ? track(source) : null;
      if (transceiver.sender.track !== sent) await transceiver.sender.replaceTrack(sent);
      if (source === "video" && sent !== null) await this.#tune(transceiver.sender);
    }
  }

  async #tune(sender: RTCRtpSender): Promise<void> {
    const parameters = sender.getParameters();
    const [encoding] = parameters.encodings;
    if (encoding === undefined) return;
    const { bitrate, smaller } = this.#options.quality();
    if (encoding.maxBitrate === bitrate && encoding.scaleResolutionDownBy === smaller) return;
    encoding.maxBitrate = bitrate;
    encoding.scaleResolutionDownBy = smaller;
    try {
      await sender.setParameters(parameters);
    } catch (failure) {
      // The browser refuses while the connection is being changed; the next change tries again.
      console.warn("The quality of the picture stays as it was", failure);
    }
  }
}
