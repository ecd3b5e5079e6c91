/** Shows the progress of the bench: one line on standard error, which the next one replaces in a terminal. */
export const say = (line: string): void => {
  process.stderr.write(process.stderr.isTTY ? `\r\u001b[2K${line}` : "");
  if (!process.stderr.isTTY && line !== last && !isProgress(line))
    process.stderr.write(`${line}\n`);
  last = line;
};

let last = "";

/** Without a terminal lines stay, so only the end of a count is printed. */
const isProgress = (line: string): boolean => {
  const [, done, of] = /([\d,]+) of ([\d,]+)/.exec(line) ?? [];
  return done !== of;
};
