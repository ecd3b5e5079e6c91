import { FRAMES, type PictureSize } from "../../contract/meetings/capture-socket.ts";

/** How often a piece leaves the page, in milliseconds: a killed browser loses this much. */
const PIECE = 500;
/** The interval of key frames, for segments of four seconds (server/capture/ffmpeg.ts). */
const KEY_FRAME = 2_000;
/** Enough for faces and small text at 25 pictures per second. */
const BITS_PER_PIXEL = 0.08;

/** Options of Chromium's recorder beyond the standard. */
type Options = MediaRecorderOptions & { readonly videoKeyFrameIntervalDuration?: number };

const optionsFor = (picture: PictureSize | null): Options =>
  picture === null
    ? { mimeType: "audio/webm;codecs=opus", audioBitsPerSecond: 128_000 }
    : {
        mimeType: "video/x-matroska;codecs=avc1,opus",
        audioBitsPerSecond: 128_000,
        videoBitsPerSecond: picture.width * picture.height * FRAMES * BITS_PER_PIXEL,
        videoKeyFrameIntervalDuration: KEY_FRAME,
      };

/**
 * Sends a stream as it is recorded. Returns a function that ends this and resolves once the last piece is
 * sent.
 */
export const record = (
  stream: MediaStream,
  picture: PictureSize | null,
  send: (bytes: Blob) => void,
): (() => Promise<void>) => {
  const recorder = new MediaRecorder(stream, optionsFor(picture));
  recorder.ondataavailable = ({ data }) => data.size > 0 && send(data);
  const stopped = new Promise<void>((resolve) => {
    recorder.onstop = () => resolve();
  });
  recorder.start(PIECE);
  return () => {
    if (recorder.state !== "inactive") recorder.stop();
    return stopped;
  };
};
