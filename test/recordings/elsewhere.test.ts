// Runs: postgres, waits
// Needs: browser, ffmpeg

import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openOrganization, operator } from "../../server/change/organization.ts";
import { deleteOrganization } from "../../server/organizations/delete.ts";
import { recordingPath, recordingsFolder } from "../../server/recordings/folder.ts";
import { forgetsMachines } from "../twins/keepers.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { filesBelow } from "../world/files.ts";
import { until } from "../world/process.ts";
import { startWorld, type World } from "../world/world.ts";
import { addRecording, makeFilms } from "./films.ts";

const films = makeFilms();

/** An organization is deleted whose recordings are on another machine, and nothing names it any more. */
const organizationThere = async (here: World, dataDir: string) => {
  const { id, ask, admin, change } = await here.tenant();
  const rowOf = async () => {
    const made = await ask("createRoom", { name: "Room", roomOwnerId: admin.id });
    const { room } = made.body.roomSetting;
    return { room, row: await addRecording({ dataDir, change }, films, room) };
  };
  const [first, second] = [await rowOf(), await rowOf()];
  // A recording that was deleted before names the organization too, until its files are erased.
  assert.equal((await ask("deleteRoom", { id: first.room })).status, 200);
  const named = async (): Promise<string> => {
    const rows = await here.database.read.selectFrom("erasures").selectAll().execute();
    return JSON.stringify(rows);
  };
  await until("it is known", async () => (await named()).includes(id));
  await deleteOrganization(openOrganization(here.database, id, operator));
  await until("nothing names it", async () => !(await named()).includes(id));
  return { folder: join(recordingsFolder(dataDir), recordingPath(second.row)) };
};

/** Rooms are deleted whose recordings are on another machine, which is unavailable at first. */
const eraseElsewhere = async (t: TestContext, twin?: Twin): Promise<void> => {
  const here = await startWorld(t, { twin });
  const dataDir = join(here.config.dataDir, "other machine");
  const mine = await here.tenant();
  const roomThere = async () => {
    const made = await mine.ask("createRoom", { name: "Room", roomOwnerId: mine.admin.id });
    const { room } = made.body.roomSetting;
    const row = await addRecording({ dataDir, change: mine.change }, films, room);
    return { room, folder: join(recordingsFolder(dataDir), recordingPath(row)) };
  };
  const [early, late, bystander] = [await roomThere(), await roomThere(), await roomThere()];
  const gone = await organizationThere(here, dataDir);
  const isErased = ({ folder }: { readonly folder: string }) => filesBelow(folder).length === 0;
  assert.equal((await mine.ask("deleteRoom", { id: early.room })).status, 200);
  await until("it is erased here", async () => {
    const { body } = await mine.ask("getOrganization");
    return body.organization.recordings.erasing === 0;
  });
  assert.ok(!isErased(early), "nobody reaches the other machine");
  assert.ok(!isErased(gone), "nor for an organization");
  const place = { ...here.environment, DATA_DIR: dataDir };
  await startWorld(t, { twin, place });
  await until("the machine erases it when it is back", () => isErased(early), twin && 10_000);
  await until("and what it has of the organization", () => isErased(gone));
  assert.equal((await mine.ask("deleteRoom", { id: late.room })).status, 200);
  await until("and while it is there", () => isErased(late));
  assert.ok(!isErased(bystander), "other rooms keep theirs");
};

test("P-REC-3: a deleted room leaves no files on another machine, even if that was unavailable", (t) =>
  eraseElsewhere(t));

testTwin("P-REC-3: a twin that erases on only one machine is detected", (t) =>
  assert.rejects(eraseElsewhere(t, forgetsMachines), /the machine erases it/),
);
