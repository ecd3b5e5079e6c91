import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../screenshots", import.meta.url));

/** Where a picture for people is saved, by its name; the folder is there then. */
export const pathOfPicture = (name: string): string => {
  mkdirSync(folder, { recursive: true });
  return join(folder, `${name}.png`);
};
