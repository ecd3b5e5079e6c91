import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../packaging/folder.ts";

/*
 * The shell blocks of the docs as commands, read as a shell would read these simple ones: lines, `&&`, `|`, `;`,
 * comments, here-documents, and commands in `$( )`.
 */

/** A block of a document. */
export interface Block {
  readonly file: string;
  readonly text: string;
}

/** The blocks of a document in this language. */
export const blocksOf = (file: string, document: string, language: string): readonly Block[] =>
  [...document.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(
    ([, text = ""]) => ({ file, text }),
  );

/** The text of a page's block of YAML that begins with a file's name. */
export const yamlNamed = (name: string, file: string): string => {
  const blocks = blocksOf(file, readFileSync(join(root, file), "utf8"), "yaml");
  const block = blocks.find(({ text }) => text.startsWith(`# ${name}\n`));
  if (block === undefined) throw new Error(`${file} has no block "# ${name}".`);
  return block.text;
};

/** Returns whether a block is lines of a settings file. */
export const isSettings = ({ text }: Block): boolean =>
  text.split("\n").every((line) => line === "" || /^(?:[A-Z][A-Z0-9_]*=|#)/.test(line));

/** A line of settings without its trailing comment. */
export const settingsOf = ({ text }: Block): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...text.matchAll(/^([A-Z][A-Z0-9_]*)=(.*?)(?: +#.*)?$/gm)].map(([, name, value]) => [
      name,
      value,
    ]),
  );

/** The contents of a block's here-documents, each with the file that it becomes. */
export const writtenBy = (text: string): readonly (readonly [string, string])[] =>
  [...text.matchAll(/^cat > (\S+) <<'?(\w+)'?\n(.*?)^\2$/gms)].map(
    ([, file = "", , content = ""]) => [file, content],
  );

const wordsOf = (command: string): readonly string[] =>
  [...command.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
    word.replaceAll(/^["']|["']$/g, ""),
  );

/** The commands of a block, each as its words, without redirections and assignments before it. */
export const commandsOf = ({ text }: Block): readonly (readonly string[])[] => {
  const plain = text
    .replaceAll(/<<'?(\w+)'?\n.*?^\1$/gms, "")
    .replaceAll(/\\\n/g, " ")
    .replaceAll(/(^|\s)#.*$/gm, "$1")
    // A function is what it does.
    .replaceAll(/^\w+\(\) \{(.*?)\}$/gms, "$1");
  const inner = [...plain.matchAll(/\$\(([^()]*(?:\([^()]*\)[^()]*)*)\)/gs)].map(
    ([, one = ""]) => one,
  );
  const outer = plain.replaceAll(/\$\(([^()]*(?:\([^()]*\)[^()]*)*)\)/gs, "VALUE");
  return [outer, ...inner].flatMap((part) =>
    part
      .replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'/gs, (quoted) => quoted.replaceAll(/[|;&\n]/g, "_"))
      .split(/\n|&&|\|\||[|;]/)
      .map((command) => command.trim().replace(/(?:\s*[0-9]?>+\s*\S+)+$/, ""))
      .map(wordsOf)
      .map((words) => words.slice(words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word))))
      .filter(([first = ""]) => first !== "" && !/^[A-Za-z_]\w*=/.test(first)),
  );
};
