/*
 * JSON as YAML 1.2, for people who read documents and tools that take no JSON.
 */

/** Words and paths that no reader takes for anything but text. */
const PLAIN = /^[A-Za-z/$#][A-Za-z0-9/${}_-]*$/;
const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

// JSON's quoted texts are also YAML's.
const textOf = (text: string): string =>
  /^[A-Za-z/]/.test(text) && PLAIN.test(text) && !RESERVED.test(text) ? text : JSON.stringify(text);

/** The value behind a key or a dash. */
const behind = (value: unknown, indent: string): string => {
  if (typeof value === "string") return ` ${textOf(value)}`;
  if (typeof value !== "object" || value === null) return ` ${JSON.stringify(value)}`;
  const deeper = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((one) => `${indent}- ${behind(one, deeper).trimStart()}`)
    : Object.entries(value)
        .filter(([, one]) => one !== undefined)
        .map(([key, one]) => `${indent}${textOf(key)}:${behind(one, deeper)}`);
  if (lines.length === 0) return Array.isArray(value) ? " []" : " {}";
  return `\n${lines.join("\n")}`;
};

/** A value of JSON as YAML. */
export const yamlOf = (value: unknown): string => `${behind(value, "").trimStart()}\n`;
