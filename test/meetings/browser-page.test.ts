// Runs: sqlite, pictures, complete
// Needs: browser

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import type { PeerType } from "../../contract/meetings/meetings.ts";
import { hashPassword } from "../../server/access/passwords.ts";
import { addUser } from "../../server/users/create.ts";
import { assertAccessible, shoot } from "../console/looks.ts";
import { press } from "../console/visit.ts";
import { until } from "../world/process.ts";
import { newOrganization } from "../world/tenant.ts";
import { openSocket } from "./inside.ts";
import { isInside, leaveAll, type Person, signInAs, startMeetings } from "./people.ts";

/** A page on another site, which shows the address after `/?` in a frame. */
const portal = createServer(({ url = "" }, answer) => {
  const framed = decodeURIComponent(url.replace(/^\/\??/, ""));
  answer.setHeader("content-type", "text/html").end(
    `<!doctype html><title>Portal</title>
    <iframe title="Meeting" src="${framed}" allow="camera; microphone; display-capture; autoplay"
      style="width: 1000px; height: 700px"></iframe>`,
  );
}).listen(0, "127.0.0.1");
await once(portal, "listening");
const { port } = portal.address() as AddressInfo;
after(() => portal.close().closeAllConnections());
/** Another site than the service's: browsers keep its cookies apart. */
const portalUrl = `http://localhost:${port}`;

const { service, room, enter, open } = await startMeetings({ EMBED_ORIGINS: portalUrl });
const { client } = service;

const tile = ({ page }: Person, name: string) =>
  page.getByRole("listitem").filter({ hasText: name }).first();

const key = (await client.createAccessKey()).accessKey;
const invitationOf = async (
  roomId: string,
  peerName: string,
  peerType: PeerType = "participant",
): Promise<string> => {
  const { accessKey, secretAccessKey } = key;
  const asked = { accessKey, secretAccessKey, roomId, peerName, peerType, peerId: peerName };
  return (await client.createSessionToken(asked)).sessionToken;
};
/** Takes a seat without a browser. */
const sits = async (roomId: string, peerName: string, peerType?: PeerType): Promise<string> => {
  const sessionToken = await invitationOf(roomId, peerName, peerType);
  const { ticket } = await client.joinRoom({ roomId, sessionToken });
  await service.sit(ticket);
  return ticket;
};

test("after a reload the page returns by itself with name, devices and raised hand", async () => {
  const { path, room: roomId } = await room({ authenticationRequired: true });
  const ada = await enter(path, "Ada", { asAdministrator: true });
  await isInside(ada);
  const ben = await enter(path, "Ben");
  await ada.button("Admit").click();
  await isInside(ben);
  await press(ben.page, "m");
  await press(ben.page, "h");
  await tile(ada, "Ben").getByText("hand raised").waitFor({ state: "attached" });

  await ben.page.reload();
  await isInside(ben);
  await ben.button("Turn the microphone on").waitFor();
  await ben.button("Turn the camera off").waitFor();
  await ben.button("Lower your hand").waitFor();
  await tile(ada, "Ben").getByText("hand raised").waitFor({ state: "attached" });
  await tile(ada, "Ben").getByText("muted").waitFor({ state: "attached" });
  const before = await ada.received();
  await Promise.all([ada.receivesMore(before), ben.receivesMore({ frames: 0, energy: 0 })]);

  // Leaving with the button is final: after it a reload asks again.
  await ben.button("Leave").click();
  await ben.page.reload();
  await ben.button("Ask to join").waitFor();
  await leaveAll(ben);

  // The last person's reload ends neither the meeting nor its link.
  const { meetingId } = (await client.getMeeting({ roomId })).meeting;
  await ada.page.reload();
  await isInside(ada);
  assert.equal((await client.getMeeting({ roomId })).meeting.meetingId, meetingId);

  // A closed tab gives its seat back.
  await ada.page.close({ runBeforeUnload: true });
  await until("the seat is free", async () => {
    const { seats } = (await client.getMeeting({ roomId })).meeting;
    return seats.moderator.taken === 0;
  });
  await leaveAll(ada);
});

test("a person who returns to a full room sees that it is full, and may come as a viewer", async () => {
  const { path, room: roomId } = await room({ noOfParticipants: 1 });
  const ben = await enter(path, "Ben");
  await isInside(ben);
  await ben.page.goto("about:blank");
  await until("the seat is free", async () => {
    const { seats } = (await client.getMeeting({ roomId })).meeting;
    return seats.participant.taken === 0;
  });
  await sits(roomId, "Ida");
  await ben.page.goBack();
  await ben.page.getByText("All seats of this role are taken.").waitFor();
  await ben.button("Join as viewer").click();
  await isInside(ben);
  await leaveAll(ben);
});

test("a page of a configured origin shows a meeting in a frame, where the invitation suffices", async () => {
  const { path, room: roomId } = await room();
  const ada = await enter(path, "Ada", { asAdministrator: true });
  await isInside(ada);
  const address = `${service.url}${path}#${await invitationOf(roomId, "Cleo")}`;
  const cleo = await open(`${portalUrl}/?${encodeURIComponent(address)}`);
  const frame = cleo.page.frameLocator("iframe");
  await frame.getByRole("button", { name: "Join" }).click();
  await frame.getByRole("button", { name: "Leave" }).waitFor();
  await ada.receivesMore({ frames: 0, energy: 0 }, { frames: 10, energy: 0.0001 });
  await tile(ada, "Cleo").waitFor();
  assert.deepEqual(await cleo.context.cookies(), [], "no cookie is needed");
  await cleo.page.frames()[1]?.evaluate("location.reload()");
  await ada.page.getByRole("log").getByText("Cleo has left.").waitFor({ state: "attached" });
  await frame.getByRole("button", { name: "Leave" }).waitFor();
  await tile(ada, "Cleo").waitFor();
  await leaveAll(ada, cleo);
});

test("an invited person gets a preview, no lobby, and other roles if theirs is full; another invitation in the same tab counts at once", async () => {
  const { path, room: roomId } = await room({
    roomType: "event",
    authenticationRequired: true,
    noOfModerators: 1,
  });
  const asViewer = await open(path);
  await asViewer.button("Ask to join").waitFor();
  await asViewer.page.getByText("You join as a viewer").waitFor();
  await sits(roomId, "Mo", "moderator");
  const cleo = await open(`${path}#${await invitationOf(roomId, "Cleo", "moderator")}`);
  await cleo.button("Turn the camera off").waitFor();
  assert.equal(await cleo.page.getByText("You join as a viewer").count(), 0);
  await cleo.button(/^Join$/).click();
  await cleo.page.getByText("All seats of this role are taken.").waitFor();
  await cleo.button("Join as participant").click();
  await isInside(cleo);
  const { peers } = (await client.getMeeting({ roomId })).meeting;
  assert.deepEqual(peers.map(({ peerName, peerType }) => `${peerName} ${peerType}`).toSorted(), [
    "Cleo participant",
    "Mo moderator",
  ]);
  const { accessKey, secretAccessKey } = key;
  await client.revokeSessionToken({ accessKey, secretAccessKey, roomId, peerId: "Cleo" });
  await cleo.page.getByRole("heading", { name: "Your invitation has ended" }).waitFor();
  assert.equal(await cleo.button("Sign in").count(), 0);

  // Another invitation in the same tab counts at once, also inside, and the person sees it first.
  for (const peerName of ["Dora", "Emil"]) {
    await cleo.page.goto(`${path}#${await invitationOf(roomId, peerName)}`);
    await cleo.button(/^Join$/).click();
    await isInside(cleo);
  }
  const { peers: now } = (await client.getMeeting({ roomId })).meeting;
  assert.deepEqual(now.map(({ peerName }) => peerName).toSorted(), ["Emil", "Mo"]);
  await leaveAll(asViewer, cleo);
});

/** Somebody of another organization. */
const addStranger = async () => {
  const name = "Sid Stranger";
  const login = { email: "sid@example.com", password: "the quiet harbour at dusk" };
  const digest = await hashPassword(login.password);
  const elsewhere = await newOrganization(service.database, service.url, "Elsewhere", {});
  const account = { name, email: login.email, admin: false, role: "moderator" };
  await elsewhere.change((change) => addUser(change, account, { ...login, digest }));
  return login;
};

/** Somebody of the room's organization who does not own the room. */
const addMember = async () => {
  const login = { email: "mia.member@example.org", password: "the quiet harbour at dawn" };
  const digest = await hashPassword(login.password);
  const account = { name: "Mia Member", email: login.email, admin: false, role: "moderator" };
  await service.change((change) => addUser(change, account, { ...login, digest }));
  return login;
};

test("where a room's ID opens nothing to strangers one may sign in, also in place of another account; a person whose session cannot be renewed for a moment is not taken for a guest, and one whose session has ended may sign in again", async () => {
  const { room: roomId } = await room();
  const ada = await open(`/m/${roomId}`);
  const { page } = ada;
  await page.getByRole("heading", { name: "Ask the host for the link" }).waitFor();
  await signInAs(ada, await addStranger());
  await page.getByText("You are signed in as Sid Stranger.").waitFor();
  await page.getByRole("heading", { name: "There is no such room" }).waitFor();
  const member = await addMember();
  await signInAs(ada, member, "Use another account");
  await ada.button("Join").waitFor();
  const busy = { success: false, code: "overloaded", message: "Busy" };
  const answerBusy = { status: 503, json: busy };
  await page.route("**/api/session/renew", (route) => route.fulfill(answerBusy), { times: 1 });
  await page.reload();
  await page.getByText("Parley cannot be reached.").waitFor();
  await ada.button("Try again").click();
  await ada.button("Join").waitFor();
  assert.equal(await ada.button("Sign in").count(), 0);

  const states = () => page.evaluate<readonly string[]>("opened.map((track) => track.readyState)");
  await until("the devices are open", async () => (await states()).length === 2);
  const ended = { status: 401, json: { success: false, code: "unauthorized", message: "Over" } };
  for (const asked of ["**/api/session/renew", "**/api/meeting/joinRoom"]) {
    await page.route(asked, (route) => route.fulfill(ended), { times: 1 });
  }
  await ada.button("Join").click();
  await page.getByRole("heading", { name: "Ask the host for the link" }).waitFor();
  assert.deepEqual(await states(), ["ended", "ended"]);
  await signInAs(ada, member);
  await ada.button("Join").waitFor();
  await leaveAll(ada);
});

test("other origins can frame nothing, and nobody can frame the console", async () => {
  const { path } = await room();
  const { context, leave } = await open("/m/nothing-here");
  const framed = async (around: string, address: string): Promise<boolean> => {
    // A separate page: the browser reports refusals, which must not appear in the other pages of these tests.
    const other = await context.newPage();
    await other.goto(`${around}/?${encodeURIComponent(service.url + address)}`);
    const body = await other.frames()[1]?.evaluate<string>("document.location.href");
    await other.close();
    return body?.startsWith(service.url) === true;
  };
  assert.equal(await framed(portalUrl, path), true);
  assert.equal(await framed(`http://127.0.0.1:${port}`, path), false, "another origin");
  for (const address of ["/", "/rooms", "/docs"]) {
    assert.equal(await framed(portalUrl, address), false, address);
  }
  await leave();
});

test("the speaker or a pinned tile is large, and tiles that do not fit are on further pages", async (t) => {
  const { path, room: roomId } = await room({ enablePresenters: false });
  const ada = await enter(path, "Ada", { asAdministrator: true });
  await isInside(ada);
  // A person who never speaks is there first.
  for (const name of ["Dan", "Eve"]) await sits(roomId, name);
  const sessionToken = await invitationOf(roomId, "Fay");
  const fay = await openSocket(t, service.url, await client.joinRoom({ roomId, sessionToken }));
  assert.equal(await fay.do("media", { audio: true, video: false, share: false }), "ok");
  await tile(ada, "Fay")
    .getByText(/^connecting$|^No connection yet/)
    .waitFor();
  const ben = await enter(path, "Ben");
  await isInside(ben);
  const large = (name: string) => ada.page.getByRole("list", { name, exact: true });
  await ada.button("Show the speaker").click();
  await large("Ben").waitFor();
  assert.equal(await large("Ben").getByRole("listitem").count(), 1);
  await tile(ada, "Dan").hover();
  await ada.button("Pin Dan").click();
  await large("Dan").waitFor();
  await ada.button("Unpin Dan").click();
  await large("Ben").waitFor();
  await ada.button("Show everybody").click();
  await large("Ben").waitFor({ state: "detached" });

  // Fay holds the only place to present, and shares nothing.
  assert.equal(await fay.do("present", { on: true }), "ok");
  await ada.button(/^People/).click();
  await ada.button("Actions for Fay").click();
  await ada.page.getByRole("menuitem", { name: "Let somebody else present" }).click();
  await fay.sees("the place is free", ({ meeting }) => meeting.presenter === null);
  await ada.button("Close the list of people").click();

  await ada.page.setViewportSize({ width: 320, height: 320 });
  await ada.page.getByRole("status").getByText("1 of 2").waitFor();
  // Read out, it would talk over Ben.
  await ada.page.locator("p:not([role=status])", { hasText: "Ben is speaking" }).waitFor();
  const shown = () => ada.page.getByRole("listitem").allInnerTexts();
  const first = await shown();
  await assertAccessible(ada.page, "pages of people, narrow");
  await shoot(ada.page, "meet-pages-narrow");
  await ada.button("Next page of people").click();
  await ada.page.getByText("2 of 2").waitFor();
  const second = await shown();
  for (const name of ["Ben", "Dan", "Eve", "Fay", "You"]) {
    const found = [...first, ...second].filter((text) => text.includes(name));
    assert.equal(found.length, 1, `${name} is on one page: ${found.join(" | ")}`);
  }
  await leaveAll(ada, ben);
});

test("a browser that is too old shows a page that says so", async () => {
  const { path } = await room();
  const { page, leave } = await open(path, { script: "delete globalThis.RTCPeerConnection" });
  await page.getByText("This browser is too old for meetings.").waitFor();
  await leave();
});

test("a link that opens nothing says so", async () => {
  const { page, leave } = await open("/m/2222-2222-2222");
  await page.getByRole("heading", { name: "There is no such room" }).waitFor();
  await leave();
});
