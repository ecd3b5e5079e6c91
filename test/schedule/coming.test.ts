import assert from "node:assert/strict";
import { test } from "node:test";
import { create, signIn as tokenOf } from "../users/people.ts";
import { bearer } from "../world/ask.ts";
import { startWorld } from "../world/world.ts";

const world = await startWorld(test);

const inMinutes = (minutes: number): string =>
  new Date(Date.now() + minutes * 60_000).toISOString();
const DAY = 1440;

interface Listed {
  readonly roomId: string;
  readonly roomName: string;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly isHost: boolean;
  readonly isInvited: boolean;
}

/** An organization with a host, and somebody whom the host invites. */
const begin = async (name: string) => {
  const { ask } = await world.organization(name);
  const signIn = async ({
    email,
    password,
  }: {
    readonly email: string;
    readonly password: string;
  }) => {
    const token = await tokenOf(world.open, email, password);
    return (input: object = {}) => ask("listComing", input, bearer(token));
  };
  const host = await create(ask);
  const guest = await create(ask);
  const room = async (id: string, more: object = {}) => {
    const made = await ask("createRoom", {
      name: `Room ${id}`,
      room: id,
      roomOwnerId: host.id,
      ...more,
    });
    assert.equal(made.status, 201, made.text);
  };
  return { ask, host, guest, room, signIn };
};

test("the list of what is next has rooms planned in every way, sorted, for hosts and invited people", async () => {
  const { ask, host, guest, room, signIn } = await begin("Coming");
  await room("planned", { scheduledDateTime: inMinutes(2 * DAY) });
  await room("running", { scheduledDateTime: inMinutes(-30) });
  await room("over", { scheduledDateTime: inMinutes(-61) });
  await room("none");
  await room("series");
  await room("single");
  const series = {
    roomId: "series",
    startsAt: inMinutes(-5 * DAY + 60),
    minutes: 30,
    repetition: { every: "day", count: 9 },
  };
  assert.equal((await ask("editSchedule", { ...series, userIds: [guest.id] })).status, 200);
  const single = { roomId: "single", startsAt: inMinutes(DAY), emails: ["later@example.com"] };
  assert.equal((await ask("editSchedule", single)).status, 200);

  const asHost = await signIn(host);
  const { dates, pagination } = (await asHost()).body;
  assert.deepEqual(
    dates.map(({ roomId, roomName, isHost, isInvited }: Listed) => [
      roomId,
      roomName,
      isHost,
      isInvited,
    ]),
    ["running", "series", "single", "planned"].map((id) => [id, `Room ${id}`, true, false]),
  );
  assert.deepEqual(pagination, { page: 1, limit: 100, total: 4, totalPages: 1 });
  const [running] = dates as readonly Listed[];
  assert.equal(Date.parse(running?.endsAt ?? "") - Date.parse(running?.startsAt ?? ""), 3_600_000);

  const second = (await asHost({ page: 2, limit: 3 })).body;
  assert.deepEqual(second.dates, dates.slice(3));
  assert.deepEqual(second.pagination, { page: 2, limit: 3, total: 4, totalPages: 2 });
  assert.equal((await asHost({ limit: 101 })).status, 400);

  const asGuest = await signIn(guest);
  const shown = async (ask: typeof asGuest) =>
    (await ask()).body.dates.map(({ roomId, isHost, isInvited }: Listed) => [
      roomId,
      isHost,
      isInvited,
    ]);
  assert.deepEqual(await shown(asGuest), [["series", false, true]]);
  // An address that was invited before it had an account.
  const late = await create(ask, { email: "Later@example.com" });
  const asLate = await signIn(late);
  assert.deepEqual(await shown(asLate), [["single", false, true]]);

  // An edit of the record moves the date, and without one the room is in no list.
  const edit = (scheduledDateTime: string | null) =>
    ask("editRoom", { room: "planned", roomOwnerId: host.id, scheduledDateTime });
  await edit("2099-01-01T10:00:00+02:00");
  const { dates: moved } = (await asHost()).body;
  assert.equal(moved.at(-1).startsAt, "2099-01-01T08:00:00.000Z");
  await edit(null);
  assert.equal((await asHost()).body.pagination.total, 3);
  await ask("deleteRoom", { id: "series" });
  assert.deepEqual(await shown(asGuest), []);
});
