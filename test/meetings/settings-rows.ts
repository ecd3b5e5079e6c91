import assert from "node:assert/strict";
import { press } from "../console/visit.ts";
import { until } from "../world/process.ts";
import { type Patched, patchedPage } from "./patched.ts";
import { choose, isInside, leaveAll, type Meetings, type Person } from "./people.ts";

/*
 * The settings of a room, in browsers. They are enforced differently when browsers connect directly and when
 * the media engine carries everything, so each test runs in both. One of the pages obeys nothing. What such a
 * page sends directly still reaches the other browser: there the others' pages must neither show nor play it;
 * the engine must not even pass it on.
 */

/** How pictures and sound travel in a meeting. */
export interface Way {
  readonly meetings: Meetings;
  readonly isDirect: boolean;
}

type Settings = Readonly<Record<string, unknown>>;

/** Creates rooms, edits them, and reports who is inside. */
export const opener =
  ({ service, room }: Meetings) =>
  async (settings: Settings) => {
    const made = await room(settings);
    const edit = async (changes: Settings): Promise<void> => {
      await service.client.editRoom({ room: made.room, roomOwnerId: service.adminId, ...changes });
    };
    const idOf = async (name: string): Promise<string> => {
      const { meeting } = await service.client.getMeeting({ roomId: made.room });
      return meeting.peers.find(({ peerName }) => peerName === name)?.peerId ?? "";
    };
    return { ...made, edit, idOf };
  };

/** How many people's sound the page plays. */
const playing = ({ page }: Person): Promise<number> => page.locator("audio[data-sound]").count();
const picture = (person: Person, name: string) => person.tile(name).first().locator("video");
/** Writes in the open chat. */
const write = async ({ page }: Person, text: string, to = "everybody"): Promise<void> => {
  await page.getByRole("textbox", { name: `Message to ${to}` }).fill(text);
  await press(page, "Enter");
};

/** Tests audioStatus, videoStatus, enableScreenSharing, enablePresenters, enableChatOption. */
export const switchesHold = async ({ meetings, isDirect }: Way): Promise<void> => {
  const { enter } = meetings;
  const { path, edit } = await opener(meetings)({ enablePresenters: true });
  // High enough for every picture: those of other pages of the stage stand still.
  const high = { width: 1280, height: 1200 };
  const ada = await enter(path, "Ada", { asAdministrator: true, viewport: high });
  const bensPage = patchedPage();
  const ben = await enter(path, "Ben", { patched: bensPage });
  const cleo = await enter(path, "Cleo");
  const all = [ada, ben, cleo];
  await Promise.all(all.map(isInside));
  await Promise.all(all.map((one) => one.receivesOnly({ video: 2, audio: 2 })));
  assert.equal(await playing(ada), 2);

  // Sound: Ben's page ignores the change, Cleo's obeys.
  await edit({ audioStatus: false });
  await cleo.button("You cannot use a microphone in this room").waitFor();
  await ada.receivesOnly({ video: 2, ...(isDirect ? {} : { audio: 0 }) });
  assert.equal(await playing(ada), 0);
  await edit({ audioStatus: true });
  await cleo.button("Turn the microphone on").click();
  await ada.page.locator("audio[data-sound]").first().waitFor({ state: "attached" });

  // One presenter: Cleo, who began first. Ada's page stops by itself, Ben's ignores the change.
  await cleo.button("Share a screen").click();
  await picture(ada, "Screen of Cleo").waitFor();
  await ben.button("Share a screen").click();
  await picture(ada, "Screen of Ben").waitFor();
  await ada.button("Share a screen").click();
  await picture(cleo, "Screen of Ada").waitFor();
  await ada.receivesOnly({ video: 4 });
  await edit({ enablePresenters: false });
  await ada.tile("Screen of Ben").waitFor({ state: "detached" });
  await cleo.tile("Screen of Ada").waitFor({ state: "detached" });
  await picture(ada, "Screen of Cleo").waitFor();
  await ada.receivesOnly(isDirect ? {} : { video: 3 }, { video: 3 });
  assert.equal(await ada.tile("Screen of Ben").count(), 0);
  await ada.button("Share a screen").click();
  await ada.page.getByText("Somebody else is presenting.").first().waitFor();
  await cleo.button("Stop sharing").click();
  await ada.tile("Screen of Cleo").waitFor({ state: "detached" });
  await ada.button("Share a screen").click();
  await picture(cleo, "Screen of Ada").waitFor();
  await cleo.receivesOnly(isDirect ? {} : { video: 3 }, { video: 3 });

  // No screens at all.
  await edit({ enableScreenSharing: false });
  await cleo.tile("Screen of Ada").waitFor({ state: "detached" });
  await ben.button("Stop sharing").click();
  await ben.button("Share a screen").click();
  await ben.button("Stop sharing").waitFor();
  await cleo.receivesOnly(isDirect ? {} : { video: 2 }, { video: 2 });
  assert.equal(await cleo.tile("Screen of Ben").count(), 0);

  // Pictures: neither from people inside, nor from a newcomer who labels a camera as a microphone.
  await edit({ videoStatus: false });
  await cleo.button("You cannot use a camera in this room").waitFor();
  const dansPage = patchedPage({ mislabels: true });
  const dan = await enter(path, "Dan", { patched: dansPage });
  await isInside(dan);
  // The engine publishes what it takes for a second microphone; the others are not even told.
  const untold = () => [...dansPage.tracks].filter((sid) => !bensPage.tracks.has(sid));
  if (!isDirect) await until("the engine has Dan's camera", () => untold().length === 1);
  await ada.tile("Dan").waitFor();
  await ada.receivesOnly(isDirect ? {} : { video: 0 }, { audio: 2 });
  assert.equal(untold().length, isDirect ? 0 : 1);
  for (const name of ["Ben", "Cleo", "Dan"]) assert.equal(await picture(ada, name).count(), 0);
  await edit({ videoStatus: true });
  await cleo.button("Turn the camera on").click();
  await picture(ada, "Cleo").waitFor();
  await ada.receivesOnly({}, { video: 1 });

  // The chat.
  for (const one of [ada, ben, cleo]) await one.button(/^Chat/).click();
  const read = ada.page.getByRole("complementary");
  await write(ben, "While it is on");
  await read.getByText("While it is on").waitFor();
  await edit({ enableChatOption: false });
  await cleo.page.getByText("The chat is off in this room.").waitFor();
  await write(ben, "While it is off");
  await ben.page.getByText("The settings of this room do not allow this.").first().waitFor();
  await edit({ enableChatOption: true });
  await write(cleo, "On again");
  await read.getByText("On again").waitFor();
  assert.equal(await read.getByText("While it is off").count(), 0);
  await leaveAll(ada, ben, cleo, dan);
};

/** A page that keeps every connection that it should close. */
const holdOn = "RTCPeerConnection.prototype.close = () => {};";

/** Three people inside: Ada moderates, and she and Ben have modified pages. */
export interface Three {
  readonly ada: Person;
  readonly ben: Person;
  readonly cleo: Person;
  readonly adasPage: Patched;
  readonly bensPage: Patched;
  edit(changes: Settings): Promise<void>;
  idOf(name: string): Promise<string>;
}

/**
 * Tests participantPrivacy and participantVideoPrivacy, when entering and while people are inside.
 *
 * @param more further checks: at first all hear each other, and the two participants do not see each other
 */
export const privacyHolds = async (
  { meetings, isDirect }: Way,
  more: (three: Three) => Promise<void> = async () => {},
): Promise<void> => {
  const { enter } = meetings;
  const { path, edit, idOf } = await opener(meetings)({ participantPrivacy: true });
  const [adasPage, bensPage] = [patchedPage(), patchedPage()];
  const ada = await enter(path, "Ada", {
    asAdministrator: true,
    patched: adasPage,
    script: isDirect ? "" : holdOn,
  });
  const ben = await enter(path, "Ben", { patched: bensPage, script: holdOn });
  const cleo = await enter(path, "Cleo");
  await Promise.all([ada, ben, cleo].map(isInside));
  const cleoId = await idOf("Cleo");
  const adaId = await idOf("Ada");
  /** Ben requests everything that a moderator gets; Cleo requests nothing special. */
  const participantsGet = async (wanted: { readonly video: number; readonly audio: number }) => {
    bensPage.subscribe(adasPage.tracks);
    await Promise.all([ben, cleo].map((one) => one.receivesOnly(wanted)));
    await ada.receivesOnly({ video: 2, audio: 2 });
  };
  const isHidden = (): void => {
    assert.ok(!bensPage.heard().includes(cleoId));
    assert.ok(!bensPage.heard().includes("Cleo"));
  };
  const reads = ({ page }: Person, text: string): Promise<void> =>
    page.getByRole("complementary").getByText(text, { exact: true }).waitFor();

  await participantsGet({ video: 1, audio: 1 });
  for (const one of [ada, ben, cleo]) await one.button(/^Chat/).click();
  await write(cleo, "For Ada alone", "the moderators");
  await reads(ada, "For Ada alone");
  await write(ada, "For both");
  await reads(ben, "For both");
  isHidden();
  assert.ok(bensPage.heard().includes(adaId));
  assert.ok(adasPage.heard().includes(cleoId));

  await edit({ participantPrivacy: false });
  await Promise.all([picture(ben, "Cleo").waitFor(), picture(cleo, "Ben").waitFor()]);
  await participantsGet({ video: 2, audio: 2 });

  await edit({ participantPrivacy: true });
  await Promise.all(
    [ben.tile("Cleo"), cleo.tile("Ben")].map((t) => t.waitFor({ state: "detached" })),
  );
  await participantsGet({ video: 1, audio: 1 });
  bensPage.forget();
  await cleo.button("Raise your hand").click();
  await ada.tile("Cleo").getByText("hand raised").waitFor({ state: "attached" });
  await participantsGet({ video: 1, audio: 1 });
  isHidden();

  // Sound without pictures.
  await edit({ participantPrivacy: false, participantVideoPrivacy: true });
  await Promise.all([ben.tile("Cleo").waitFor(), cleo.tile("Ben").waitFor()]);
  await participantsGet({ video: 1, audio: 2 });
  assert.equal(await picture(ben, "Cleo").count(), 0);
  await picture(ben, "Ada").waitFor();
  await more({ ada, ben, cleo, adasPage, bensPage, edit, idOf });
  await leaveAll(ada, ben, cleo);
};

/** The viewers of an event: they publish nothing until they take part, and no more of them than allowed. */
export const viewersWatch = async ({ meetings, isDirect }: Way): Promise<void> => {
  const { enter } = meetings;
  const { path } = await opener(meetings)({ roomType: "event", noOfUpgradeRequests: 1 });
  const ada = await enter(path, "Ada", { asAdministrator: true });
  const vic = await enter(path, "Vic", { patched: patchedPage() });
  const cleo = await enter(path, "Cleo");
  await Promise.all([ada, vic, cleo].map(isInside));
  await vic.button("Turn the microphone on").click();
  await vic.button("Turn the camera on").click();
  await cleo.button("You cannot use a camera in this room").waitFor();

  // Refused, then accepted.
  await choose(cleo, "More", "Ask to take part");
  await cleo.page.getByText("You have asked to take part.").waitFor();
  await ada.page.getByText("Cleo asks to take part", { exact: true }).waitFor();
  /** Clicks, and waits for a moment for the messages to Cleo about it. */
  const tells = (text: string, click: () => Promise<unknown>) =>
    Promise.all([cleo.page.getByRole("status").getByText(text).waitFor(), click()]);
  await tells("Your request to take part was refused.", () => ada.button("Refuse").click());
  await cleo.page.getByText("You have asked to take part.").waitFor({ state: "detached" });
  await choose(cleo, "More", "Ask to take part");
  await tells("You can take part now.", () => ada.button("Accept").click());
  await cleo.button("Turn the microphone on").click();
  await cleo.button("Turn the camera on").click();
  await picture(ada, "Cleo").waitFor();
  const one = { video: 1, audio: 1 };
  await ada.receivesOnly(isDirect ? {} : one, one);
  assert.equal(await picture(ada, "Vic").count(), 0);
  assert.equal(await playing(ada), 1);
  await vic.receivesOnly({ video: 2, audio: 2 });

  // No more than one at a time; the place becomes free when the moderator ends it.
  await choose(vic, "More", "Ask to take part");
  await vic.page.getByText("No more upgrades are possible").first().waitFor();
  await ada.button(/^People/).click();
  await tells("You are now a viewer", () => choose(ada, "Actions for Cleo", "Make a viewer"));
  await cleo.button("You cannot use a camera in this room").waitFor();
  await vic.receivesOnly(one);
  assert.equal(await picture(ada, "Cleo").count(), 0);
  await choose(ada, "Actions for Cleo", "Invite to take part");
  await cleo.button("Take part").click();
  await cleo.button("Turn the camera on").click();
  await picture(ada, "Cleo").waitFor();
  await ada.receivesOnly(isDirect ? {} : { video: 1 }, { video: 1 });
  await leaveAll(ada, vic, cleo);
};
