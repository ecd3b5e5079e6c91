import type { Meetings, Person } from "../meetings/people.ts";

/** A person who can be recognized in a recording by one tone and one color. */
export interface Known {
  readonly name: string;
  /** Hertz. */
  readonly tone: number;
  /** Red, green, blue; 0 to 255. */
  readonly color: readonly [number, number, number];
}

export const ada: Known = { name: "Ada Lovelace", tone: 440, color: [200, 40, 40] };
export const ben: Known = { name: "Ben Okafor", tone: 1250, color: [40, 60, 200] };

/** A camera of one color and a microphone with one tone, in place of the browser's. */
export const devicesOf = ({ tone, color }: Known): string => `{
  const devices = navigator.mediaDevices;
  devices.getUserMedia = async ({ audio, video }) => {
    const tracks = [];
    if (audio) {
      const context = new AudioContext();
      const node = new OscillatorNode(context, { frequency: ${tone} });
      const out = context.createMediaStreamDestination();
      node.connect(new GainNode(context, { gain: 0.3 })).connect(out);
      node.start();
      tracks.push(...out.stream.getTracks());
    }
    if (video) {
      const canvas = Object.assign(document.createElement("canvas"), { width: 320, height: 180 });
      const pen = canvas.getContext("2d");
      setInterval(() => {
        pen.fillStyle = "rgb(${color.join()})";
        pen.fillRect(0, 0, 320, 180);
      }, 100);
      tracks.push(...canvas.captureStream(10).getTracks());
    }
    return new MediaStream(tracks);
  };
  globalThis.shareScreen = () => {
    devices.getDisplayMedia = async () => {
      const canvas = Object.assign(document.createElement("canvas"), { width: 640, height: 360 });
      const pen = canvas.getContext("2d");
      setInterval(() => {
        pen.fillStyle = "rgb(240,240,240)";
        pen.fillRect(0, 0, 640, 360);
      }, 100);
      return canvas.captureStream(5);
    };
  };
}`;

/** Enters a room with a tone and a color. */
export const comeIn = async (
  { enter }: Meetings,
  path: string,
  known: Known,
  asAdministrator = false,
): Promise<Person> => {
  const person = await enter(path, known.name, { script: devicesOf(known), asAdministrator });
  await person.button("Leave").waitFor();
  return person;
};
