/** The newest part of a stream is four seconds long; buffering two of them bridges a slow moment. */
const PARTS_BEHIND = 2;
/** A viewer who is further behind, for example after the window slept, skips ahead. */
const MOST_BEHIND = 5;

/**
 * Plays a live stream (HLS) in an element. Browsers that play HLS by themselves and lack Media Source
 * Extensions need nothing else.
 *
 * @param onBroken called if playing cannot continue: the stream has ended, or may not be watched any more
 * @returns a function that ends playing
 */
export const playStream = (
  video: HTMLVideoElement,
  playlist: string,
  onBroken: () => void,
): (() => void) => {
  let isOver = false;
  let stop = (): void => {};
  const start = async (): Promise<void> => {
    const { default: Hls } = await import("hls.js/light");
    if (isOver) return;
    if (!Hls.isSupported()) {
      const broken = (): void => onBroken();
      video.addEventListener("error", broken);
      video.addEventListener("ended", broken);
      video.src = playlist;
      stop = () => {
        video.removeEventListener("error", broken);
        video.removeEventListener("ended", broken);
        video.removeAttribute("src");
        video.load();
      };
      return;
    }
    const hls = new Hls({
      // The worker would be a blob: address, which the policy forbids; these segments need no processing.
      enableWorker: false,
      liveSyncDurationCount: PARTS_BEHIND,
      liveMaxLatencyDurationCount: MOST_BEHIND,
      maxLiveSyncPlaybackRate: 1.1,
      backBufferLength: 30,
    });
    hls.on(Hls.Events.ERROR, (_, { fatal }) => {
      if (fatal) onBroken();
    });
    video.addEventListener("ended", onBroken);
    hls.loadSource(playlist);
    hls.attachMedia(video);
    stop = () => {
      video.removeEventListener("ended", onBroken);
      hls.destroy();
    };
  };
  start().catch(onBroken);
  return () => {
    isOver = true;
    stop();
  };
};
