/** A description with a list below its first paragraph, in Markdown. */
export const points = (first: string, ...rest: readonly string[]): string =>
  [first, "", ...rest.map((point) => `- ${point}`)].join("\n");
