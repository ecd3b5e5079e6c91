// Runs: sqlite, pictures
// Needs: browser

import { test } from "node:test";
import { assertAccessible, shoot } from "../console/looks.ts";
import { isInside, leaveAll, startMeetings } from "./people.ts";

const { room, enter, open } = await startMeetings();

test("a person joins on a second device without sound, which takes the first one's place", async () => {
  const { path } = await room();
  const ada = await enter(path, "Ada", { asAdministrator: true });
  const ben = await enter(path, "Ben");
  await Promise.all([isInside(ada), isInside(ben)]);
  const phone = await open(path, { asAdministrator: true });
  await phone.button("Join").click();
  await phone.page.getByText(/^You are already in this meeting on another device/).waitFor();
  await assertAccessible(phone.page, "a second device at the door");
  await shoot(phone.page, "second-door");
  await phone.button("Join without sound").click();
  await isInside(phone);
  const help = phone.page.getByText(/^This is your second device/);
  await help.waitFor();
  await ben.tile("(second device)").waitFor();
  await phone.button("A second device has no sound").waitFor();
  await assertAccessible(phone.page, "a second device");
  await shoot(phone.page, "second-inside");
  // Its picture comes; its sound does not, and it plays none.
  await ben.receivesOnly({ video: 2, audio: 1 });
  await ada.button("Leave").click();
  await help.waitFor({ state: "detached" });
  await phone.button("Turn the microphone on").waitFor();
  await ben.tile("(second device)").waitFor({ state: "detached" });
  await ada.button("Rejoin").click();
  await ada.button("Continue here instead").click();
  await isInside(ada);
  await phone.page.getByRole("heading", { name: "You are in the meeting elsewhere" }).waitFor();
  await leaveAll(ada, ben, phone);
});
