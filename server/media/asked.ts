import {
  AddTrackRequest,
  AudioTrackFeature,
  ClientInfo,
  ClientInfo_Capability,
  type JoinRequest,
  type SessionDescription,
  SimulcastCodec,
  VideoLayer,
} from "@livekit/protocol";

/*
 * The requests that a client may make of LiveKit: those that the page sends, and nothing that LiveKit would
 * pass on to others as it is. Values that LiveKit only keeps are cut; requests that make no sense are refused.
 */

/** A browser's ID of a track has 36 characters, or 38. */
const LONGEST = 64;
/** A picture in three sizes. */
export const MOST_LAYERS = 3;
/** One codec, and a second one for browsers without it. */
export const MOST_CODECS = 2;
/** Four large screens beside each other. */
const WIDEST = 16_384;

const isShort = (text: string): boolean => text.length <= LONGEST;
/** As LiveKit's client calls them, or none: what nobody knows would go to everybody. */
const isCodec = (text: string): boolean => /^(?:|vp[89]|h26[45]|av1|opus|red)$/i.test(text);
const cut = (text: string): string => text.slice(0, LONGEST);
const fitsScreens = ({ width, height }: Pick<VideoLayer, "width" | "height">): boolean =>
  width <= WIDEST && height <= WIDEST;
const areFew = (layers: readonly VideoLayer[]): boolean =>
  layers.length <= MOST_LAYERS && layers.every(fitsScreens);

/** The values of an enumeration that have a name, each once: Protocol Buffers pass on any number. */
export const named = <V extends number>(
  names: Readonly<Record<number, string>>,
  values: readonly V[],
): V[] => [...new Set(values)].filter((value) => names[value] !== undefined);

const askedLayers = (layers: readonly VideoLayer[]): VideoLayer[] =>
  layers.map(
    ({ quality, width, height, bitrate }) => new VideoLayer({ quality, width, height, bitrate }),
  );

/**
 * A request to publish a track, without what its page does not use: LiveKit tells everybody a track's name,
 * stream, layers and codecs.
 *
 * @returns undefined if no page sends this
 */
export const askedTrack = (asked: AddTrackRequest): AddTrackRequest | undefined => {
  const { simulcastCodecs: codecs } = asked;
  const isMeant =
    isShort(asked.cid) &&
    isShort(asked.sid) &&
    fitsScreens(asked) &&
    areFew(asked.layers) &&
    codecs.length <= MOST_CODECS &&
    codecs.every(({ codec, cid, layers }) => isCodec(codec) && isShort(cid) && areFew(layers));
  if (!isMeant) return undefined;
  return new AddTrackRequest({
    cid: asked.cid,
    sid: asked.sid,
    type: asked.type,
    source: asked.source,
    muted: asked.muted,
    width: asked.width,
    height: asked.height,
    layers: askedLayers(asked.layers),
    simulcastCodecs: codecs.map(
      ({ codec, cid, layers, videoLayerMode }) =>
        new SimulcastCodec({ codec, cid, layers: askedLayers(layers), videoLayerMode }),
    ),
    stereo: asked.stereo,
    disableDtx: asked.disableDtx,
    disableRed: asked.disableRed,
    backupCodecPolicy: asked.backupCodecPolicy,
    audioFeatures: named(AudioTrackFeature, asked.audioFeatures),
  });
};

/** LiveKit's lines of a description that name something have less; a group names all media. */
const LONGEST_LINE = 512;
const NAMED_LINE = 160;
/** Their texts get into LiveKit's records of a person, and so to others. */
const names = /^a=(?:mid|rid|msid):/;
const groups = /^a=group:/;

const isMeantLine = (line: string): boolean =>
  groups.test(line) || line.length <= (names.test(line) ? NAMED_LINE : LONGEST_LINE);

/**
 * Removes the client's addresses from its description: LiveKit would send packets to them, whatever network
 * they are in. It needs none, because the client connects, and LiveKit answers.
 *
 * @throws Error if no browser writes this
 */
export const cleanDescription = (description: SessionDescription): void => {
  const lines = description.sdp.split(/\r?\n/);
  if (!lines.every(isMeantLine)) throw new Error("No browser describes its media like this.");
  description.sdp = lines.filter((line) => !line.startsWith("a=candidate:")).join("\r\n");
  description.midToTrackId = {};
};

/** Leaves in a request to join what LiveKit needs to know of the client. */
export const cleanJoinRequest = (request: JoinRequest): void => {
  request.metadata = "";
  request.participantAttributes = {};
  request.participantSid = cut(request.participantSid);
  if (request.connectionSettings) {
    request.connectionSettings.autoSubscribe = false;
    request.connectionSettings.autoSubscribeDataTrack = false;
    // The engine would then call at the client's addresses.
    request.connectionSettings.disableIceLite = false;
  }
  if (request.clientInfo) {
    const { sdk, protocol, clientProtocol, capabilities, ...texts } = request.clientInfo;
    request.clientInfo = new ClientInfo({
      sdk,
      protocol,
      clientProtocol,
      capabilities: named(ClientInfo_Capability, capabilities),
      version: cut(texts.version),
      os: cut(texts.os),
      osVersion: cut(texts.osVersion),
      deviceModel: cut(texts.deviceModel),
      browser: cut(texts.browser),
      browserVersion: cut(texts.browserVersion),
    });
  }
};
