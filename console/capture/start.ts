import type {
  CaptureOrder,
  FromCapture,
  ToCapture,
} from "../../contract/meetings/capture-socket.ts";
import { paintMeeting } from "./paint.ts";
import { type Reception, receive } from "./receive.ts";
import { record } from "./record.ts";
import { follow, soundInto, sounds } from "./tracks.ts";
import { openVoices } from "./voices.ts";

/*
 * The page of the hidden browser. Its address has a one-use code behind the #, which it exchanges for its
 * order; its output goes back over the same socket.
 */

/** How often the page says that it listens, in milliseconds (server/lib/watch.ts). */
const LISTENING = 2_000;

const address = new URL("/capture/socket", location.href);
address.protocol = "ws:";
const service = new WebSocket(address);
const tell = (message: FromCapture): void => service.send(JSON.stringify(message));

const fail = (failure: unknown): void => {
  tell({ type: "failed", message: failure instanceof Error ? failure.message : String(failure) });
};
addEventListener("error", ({ error, message }) => fail(error ?? message));
addEventListener("unhandledrejection", ({ reason }) => fail(reason));

/** The sound of everybody in one track, which is silent while nobody is heard. */
const openMix = (meeting: Reception): MediaStream => {
  const context = new AudioContext({ sampleRate: 48_000 });
  const out = context.createMediaStreamDestination();
  // Several people who speak at once must not be clipped.
  const limiter = new DynamicsCompressorNode(context, { threshold: -6, ratio: 12, attack: 0.002 });
  limiter.connect(out);
  const kept = follow(
    ({ attach }) => soundInto(context, attach, limiter),
    (end) => end(),
  );
  const settle = (): void => kept.settle(sounds(meeting.get()));
  meeting.subscribe(settle);
  settle();
  return out.stream;
};

/** Turns the meeting into bytes. Returns a function that ends this and resolves once all bytes are sent. */
const begin = ({ picture, voices }: CaptureOrder, meeting: ReturnType<typeof receive>) => {
  if (voices) {
    const opened = openVoices(meeting, (bytes) => service.send(bytes));
    const listening = setInterval(() => tell({ type: "listening" }), LISTENING);
    return async () => {
      clearInterval(listening);
      await opened.close();
    };
  }
  const mix = openMix(meeting);
  const painting = picture && paintMeeting(meeting, picture);
  return record(
    new MediaStream([...(painting ? painting.getVideoTracks() : []), ...mix.getAudioTracks()]),
    picture,
    (bytes) => service.send(bytes),
  );
};

const obey = (order: CaptureOrder) => {
  let end = async (): Promise<void> => {};
  let isOver = false;
  const finish = async (why: Extract<FromCapture, { type: "done" }>["why"]): Promise<void> => {
    if (isOver) return;
    isOver = true;
    tell({ type: "ending" });
    await end();
    tell({ type: "done", why });
    meeting.close();
  };
  const meeting = receive(order, {
    onInside: () => {
      end = begin(order, meeting);
      tell({ type: "begun" });
    },
    onEnd: (reason) => void finish(reason),
  });
  return finish;
};

let finish: ReturnType<typeof obey> | undefined;
service.onopen = () => tell({ type: "hello", code: location.hash.slice(1) });
service.onmessage = ({ data }) => {
  const message = JSON.parse(data) as ToCapture;
  if (message.type === "start") finish = obey(message);
  else void finish?.("stopped");
};
