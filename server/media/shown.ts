import {
  ClientInfo_Capability,
  ParticipantInfo,
  SimulcastCodecInfo,
  TrackInfo,
  VideoLayer,
} from "@livekit/protocol";
import { MOST_CODECS, MOST_LAYERS, named } from "./asked.ts";

/*
 * Copies what others receive of a person: field by field, so that it contains no text of the person's client,
 * and no field that a later LiveKit adds.
 */

const shownLayers = (layers: readonly VideoLayer[]): VideoLayer[] =>
  layers
    .slice(0, MOST_LAYERS)
    .map(
      ({ quality, width, height, bitrate, ssrc, spatialLayer }) =>
        new VideoLayer({ quality, width, height, bitrate, ssrc, spatialLayer }),
    );

/** A track without its name, its stream and the IDs that its publisher's browser gave it. */
export const shownTrack = (track: TrackInfo): TrackInfo =>
  new TrackInfo({
    sid: track.sid,
    type: track.type,
    source: track.source,
    muted: track.muted,
    width: track.width,
    height: track.height,
    simulcast: track.simulcast,
    layers: shownLayers(track.layers),
    mimeType: track.mimeType,
    codecs: track.codecs
      .slice(0, MOST_CODECS)
      .map(
        ({ mimeType, layers, videoLayerMode }) =>
          new SimulcastCodecInfo({ mimeType, layers: shownLayers(layers), videoLayerMode }),
      ),
    stereo: track.stereo,
    disableDtx: track.disableDtx,
    disableRed: track.disableRed,
    ...(track.version && { version: track.version }),
    audioFeatures: track.audioFeatures,
    backupCodecPolicy: track.backupCodecPolicy,
  });

/** A person with what others need to know: the rest of LiveKit's record stays here. */
export const shownPerson = (info: ParticipantInfo): ParticipantInfo =>
  new ParticipantInfo({
    sid: info.sid,
    identity: info.identity,
    state: info.state,
    tracks: info.tracks.map(shownTrack),
    joinedAt: info.joinedAt,
    joinedAtMs: info.joinedAtMs,
    version: info.version,
    ...(info.permission && { permission: info.permission }),
    isPublisher: info.isPublisher,
    kind: info.kind,
    disconnectReason: info.disconnectReason,
    clientProtocol: info.clientProtocol,
    capabilities: named(ClientInfo_Capability, info.capabilities),
  });
