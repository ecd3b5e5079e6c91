import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findChromium, findFfmpeg } from "../../server/capture/programs.ts";
import type { Scope } from "../world/empty-database.ts";
import type { Environment } from "../world/world.ts";

/** An ffmpeg that only FFMPEG points to, and that can be held in the middle of its work. */
export interface HoldableFfmpeg {
  readonly environment: Environment;
  /** From now on it writes the beginning of a file, and waits. */
  hold(): void;
  /** Returns whether it has run; after `hold`, whether it waits. */
  hasRun(): boolean;
  goOn(): void;
}

/** An ffmpeg that only FFMPEG points to, and that stands still from its start until `mend`. */
export const openStillFfmpeg = (
  t: Scope,
): { readonly environment: Environment; readonly mend: () => void } => {
  const folder = mkdtempSync(join(tmpdir(), "parley-still-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [program, still] = [join(folder, "ffmpeg"), join(folder, "still")];
  const real = findFfmpeg({ ffmpeg: undefined, path: process.env.PATH ?? "" });
  writeFileSync(still, "");
  const lines = ["#!/bin/sh", `[ ! -e "${still}" ] || kill -STOP $$`, `exec "${real}" "$@"`, ""];
  writeFileSync(program, lines.join("\n"), { mode: 0o700 });
  return { environment: { FFMPEG: program }, mend: () => rmSync(still) };
};

/** A Chromium that only CHROMIUM points to, and that can be made to die at its start. */
export interface Fragile {
  readonly environment: Environment;
  /** From now on it dies immediately. */
  damage(): void;
  mend(): void;
}

export const openFragileChromium = (t: Scope): Fragile => {
  const folder = mkdtempSync(join(tmpdir(), "parley-fragile-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [program, damaged] = [join(folder, "chromium"), join(folder, "damaged")];
  const real = findChromium({ chromium: undefined, path: process.env.PATH ?? "" });
  const lines = ["#!/bin/sh", `[ ! -e "${damaged}" ] || exit 1`, `exec "${real}" "$@"`, ""];
  writeFileSync(program, lines.join("\n"), { mode: 0o700 });
  return {
    environment: { CHROMIUM: program },
    damage: () => writeFileSync(damaged, ""),
    mend: () => rmSync(damaged),
  };
};

/** An ffmpeg that only FFMPEG points to: until `hurry`, it takes a hundred times a film's duration. */
export const openSlowFfmpeg = (
  t: Scope,
): { readonly environment: Environment; readonly hurry: () => void } => {
  const folder = mkdtempSync(join(tmpdir(), "parley-slow-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [program, slow] = [join(folder, "ffmpeg"), join(folder, "slow")];
  const real = findFfmpeg({ ffmpeg: undefined, path: process.env.PATH ?? "" });
  writeFileSync(slow, "");
  const lines = [
    "#!/bin/sh",
    `[ ! -e "${slow}" ] || set -- -readrate 0.01 "$@"`,
    `exec "${real}" "$@"`,
    "",
  ];
  writeFileSync(program, lines.join("\n"), { mode: 0o700 });
  return { environment: { FFMPEG: program }, hurry: () => rmSync(slow) };
};

export const openHoldableFfmpeg = (t: Scope): HoldableFfmpeg => {
  const folder = mkdtempSync(join(tmpdir(), "parley-holdable-"));
  const program = join(folder, "ffmpeg-of-ours");
  const held = join(folder, "held");
  const ran = join(folder, "ran");
  const real = findFfmpeg({ ffmpeg: undefined, path: process.env.PATH ?? "" });
  const goOn = () => rmSync(held, { force: true });
  // A process of it that outlives the test finds no folder.
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(
    program,
    `#!/bin/sh
: > "${ran}"
for target; do :; done
[ ! -e "${held}" ] || echo "the beginning of a film" > "$target"
while [ -e "${held}" ]; do sleep 0.1; done
exec "${real}" "$@"
`,
  );
  chmodSync(program, 0o700);
  return {
    environment: { FFMPEG: program },
    hold() {
      rmSync(ran, { force: true });
      writeFileSync(held, "");
    },
    hasRun: () => existsSync(ran),
    goOn,
  };
};
