import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { MAKING, recordingPath, recordingsFolder } from "../../server/recordings/folder.ts";
import type { Twin } from "../twins/twin.ts";
import { bearer } from "../world/ask.ts";
import type { Scope } from "../world/empty-database.ts";
import { filesBelow } from "../world/files.ts";
import { type Environment, startWorld } from "../world/world.ts";
import { addRecording, makeFilms } from "./films.ts";

/** A service with recordings in one room, for all tests of a file, or for one. */
export const startLibrary = async (environment: Environment = {}, t: Scope = test, twin?: Twin) => {
  const world = await startWorld(t, { environment, twin });
  const films = makeFilms();
  const tenant = await world.tenant();
  const { ask, admin } = tenant;
  const newRoom = async (name = "Room"): Promise<string> =>
    (await ask("createRoom", { name, roomOwnerId: admin.id })).body.roomSetting.room;
  const room = await newRoom("Weekly meeting");
  return {
    world,
    films,
    tenant,
    newRoom,
    room,
    /** Adds a recording, by default to the one room. */
    add: (facts: Parameters<typeof addRecording>[3] = {}, to = room) =>
      addRecording({ ...world.config, change: tenant.change }, films, to, facts),
    /** Where the files of a recording are on this machine. */
    folderOf: (row: Parameters<typeof recordingPath>[0]): string =>
      join(recordingsFolder(world.config.dataDir), recordingPath(row)),
    /** The files being made for downloads. */
    making: () => filesBelow(join(recordingsFolder(world.config.dataDir), MAKING)),
    get: (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET") =>
      fetch(world.url + path, { headers, method }),
    /** Opens a recording. @returns the address of what plays, and the cookie */
    open: async (recordingId: string, token?: string) => {
      const answer = await ask("openRecording", { recordingId }, token ? bearer(token) : {});
      assert.equal(answer.status, 200, answer.text);
      return { url: answer.body.media.url as string, cookie: cookieOf(answer), answer };
    },
  };
};

/** The cookie that an answer sets, as a browser sends it back. */
export const cookieOf = ({ headers }: { readonly headers: Headers }): string => {
  const [cookie = ""] = headers.getSetCookie();
  assert.match(cookie, /; HttpOnly; SameSite=Strict/);
  return cookie.split(";")[0] ?? "";
};

/** The status and code of a failure. */
export const codeOf = async (answer: Response): Promise<string> =>
  `${answer.status} ${((await answer.json()) as { readonly code: string }).code}`;
