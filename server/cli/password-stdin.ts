import { text } from "node:stream/consumers";
import { passwordLength } from "../../contract/kit/plain.ts";
import { ownPassword } from "../config/values.ts";
import { CommandError } from "./command.ts";

/**
 * The password on standard input: its first line.
 *
 * @param words words that it must not consist of: name, email, organization
 * @throws CommandError if it is missing, too short or too easy to guess
 */
export const readPassword = async (words: readonly string[]): Promise<string> => {
  const { isCommonPassword, resembles } = await import("../access/common-passwords.ts");
  const [line = ""] = (await text(process.stdin)).split(/\r?\n/, 1);
  const password = ownPassword.parse(line);
  if (password === undefined) {
    throw new CommandError(
      `The password on standard input has ${[...line].length} characters; accepted: ${passwordLength.min} to ${passwordLength.max}.`,
    );
  }
  if (resembles(password, words)) {
    throw new CommandError("The password must not be the name, email or organization.");
  }
  if (isCommonPassword(password)) {
    throw new CommandError("The password is among the most common ones: choose another.");
  }
  return password;
};
