// Runs: sqlite, pictures, first
// Needs: browser

import assert from "node:assert/strict";
import { test } from "node:test";
import { shoot } from "../console/looks.ts";
import { press } from "../console/visit.ts";
import { until } from "../world/process.ts";
import { cameraOf } from "./drawn-camera.ts";
import { leaveAll, type Person, startMeetings } from "./people.ts";

const { room, enter } = await startMeetings();

/** The hue of each person's camera, in degrees: different enough to survive the encoding. */
const HUES = { "Ada Lovelace": 210, "Ben Okafor": 30, "Cleo Marchetti": 320 } as const;
type Name = keyof typeof HUES;
const names = Object.keys(HUES) as readonly Name[];

/** The hue in the upper left of the picture on a person's tile; -1 while there is none. */
const hueOf = ({ page }: Person, title: string): Promise<number> =>
  page.evaluate<number>(`(() => {
    const video = [...document.querySelectorAll("video")]
      .find((one) => one.closest("li")?.textContent.includes(${JSON.stringify(title)}));
    if (!video?.videoWidth) return -1;
    const canvas = Object.assign(document.createElement("canvas"), { width: 8, height: 8 });
    const pen = canvas.getContext("2d");
    pen.drawImage(video, 0, 0, video.videoWidth / 8, video.videoHeight / 8, 0, 0, 8, 8);
    const [r, g, b] = pen.getImageData(4, 4, 1, 1).data;
    const most = Math.max(r, g, b);
    const range = most - Math.min(r, g, b);
    if (range < 20) return -1;
    const sixth = most === r ? (g - b) / range : most === g ? 2 + (b - r) / range : 4 + (r - g) / range;
    return (sixth * 60 + 360) % 360;
  })()`);

const isNear = (one: number, other: number): boolean =>
  one >= 0 && Math.min(Math.abs(one - other), 360 - Math.abs(one - other)) < 25;

test("everybody's tile shows the picture of the person whose name is on it", async () => {
  const { path } = await room({ name: "Design critique" });
  const people: Person[] = [];
  for (const name of names) {
    const script = cameraOf(HUES[name]);
    const asAdministrator = people.length === 0;
    const person = await enter(path, name, { script, asAdministrator });
    await person.button("Leave").waitFor();
    people.push(person);
  }
  for (const [index, person] of people.entries()) {
    for (const name of names.filter((_, other) => other !== index)) {
      let hue = -1;
      await until(`a picture of ${name}`, async () => {
        hue = await hueOf(person, name);
        return hue >= 0;
      });
      assert.ok(isNear(hue, HUES[name]), `${name} is seen with the hue ${hue}`);
    }
  }

  // The pictures in the README.
  const [ada, ben] = people;
  assert.ok(ada && ben);
  await press(ben.page, "h");
  await press(ben.page, "c");
  await ben.page.getByRole("textbox", { name: "Message to everybody" }).fill("The draft is ready.");
  await press(ben.page, "Enter");
  await ada.page.getByText("hand raised").waitFor({ state: "attached" });
  await press(ada.page, "c");
  await ada.page.getByRole("complementary").getByText("The draft is ready.").waitFor();
  for (const colorScheme of ["light", "dark"] as const) {
    await ada.page.emulateMedia({ colorScheme });
    await shoot(ada.page, `meeting-${colorScheme}`);
  }
  await leaveAll(...people);
});
