import assert from "node:assert/strict";
import type { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { freeSpace } from "../../server/recordings/folder.ts";

test("a disk that does not answer holds up nobody, and has one question at a time", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const folder = tmpdir();
  const answer = Promise.withResolvers<unknown>();
  let questions = 0;
  const hung = (() => {
    questions += 1;
    return answer.promise;
  }) as typeof statfs;
  const asking = Array.from({ length: 8 }, () => freeSpace(folder, hung));
  const areLate = async (all: readonly Promise<number>[]): Promise<void> => {
    const refused = Promise.all(all.map((one) => assert.rejects(one, /does not answer/)));
    await new Promise(setImmediate);
    t.mock.timers.tick(5_000);
    await refused;
  };
  await areLate(asking);
  await areLate([freeSpace(folder, hung)]);
  assert.equal(questions, 1);
  answer.resolve({ bavail: 3, bsize: 7 });
  await answer.promise;
  assert.equal(await freeSpace(folder, hung), 21);
  assert.ok((await freeSpace(folder)) > 21);
});
