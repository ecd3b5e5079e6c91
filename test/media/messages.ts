import {
  JoinRequest,
  JoinResponse,
  ParticipantInfo,
  ParticipantInfo_State,
  Room,
  SignalRequest,
  SignalResponse,
  TrackInfo,
  TrackSource,
  TrackType,
} from "@livekit/protocol";

/** A person's camera or microphone track; its ID is derived from theirs. */
export const track = (seat: string, kind: "camera" | "microphone"): TrackInfo =>
  kind === "camera"
    ? new TrackInfo({ sid: `TR_V${seat}`, type: TrackType.VIDEO, source: TrackSource.CAMERA })
    : new TrackInfo({ sid: `TR_A${seat}`, type: TrackType.AUDIO, source: TrackSource.MICROPHONE });

/** A person inside with camera and microphone. */
export const person = (seat: string, state = ParticipantInfo_State.ACTIVE): ParticipantInfo =>
  new ParticipantInfo({
    sid: `PA_${seat}`,
    identity: seat,
    state,
    tracks: [track(seat, "camera"), track(seat, "microphone")],
  });

/** LiveKit's answer to a join request. */
export const joined = (seat: string, others: readonly string[]): Uint8Array =>
  response({
    case: "join",
    value: new JoinResponse({
      participant: person(seat),
      otherParticipants: others.map((other) => person(other)),
      room: new Room({ name: "meeting", numParticipants: others.length + 1 }),
      iceServers: [{ urls: ["stun:stun.example.com"] }],
    }),
  });

/** A message from LiveKit. */
export const response = (message: SignalResponse["message"]): Uint8Array =>
  new SignalResponse({ message }).toBinary();

/** A message from a client. */
export const request = (message: SignalRequest["message"]): Uint8Array =>
  new SignalRequest({ message }).toBinary();

/** A client's join request, as LiveKit's browser client sends it. */
export const joinRequest = (more: Partial<JoinRequest> = {}): JoinRequest =>
  new JoinRequest({ connectionSettings: { autoSubscribe: true }, ...more });

/** The kind and the content of frames, for comparison. */
export const readResponses = (frames: readonly Uint8Array[]): SignalResponse["message"][] =>
  frames.map((bytes) => SignalResponse.fromBinary(bytes).message);
export const readRequests = (frames: readonly Uint8Array[]): SignalRequest["message"][] =>
  frames.map((bytes) => SignalRequest.fromBinary(bytes).message);
