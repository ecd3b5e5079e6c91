/** Texts of queries that are asked all the time, and the name of each. */
const names = new Map<string, string>();

/**
 * Lets PostgreSQL keep what it made of a query's text, once per connection: reading and planning it
 * costs more than finding a row. For texts of which there are few, and which name their columns.
 */
export const keepText = (text: string): void => {
  if (!names.has(text)) names.set(text, `kept_${names.size}`);
};

/** The name of a text that is kept. */
export const nameOf = (text: string): string | undefined => names.get(text);
