import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../screenshots", import.meta.url));

/** The path at which a picture for people is saved, by its name; creates the folder. */
export const pathOfPicture = (name: string): string => {
  mkdirSync(folder, { recursive: true });
  return join(folder, `${name}.png`);
};
