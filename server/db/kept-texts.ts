/** The texts of frequent queries, and the name of each. */
const names = new Map<string, string>();

/**
 * Makes PostgreSQL parse and plan a query once per connection: that costs more than finding a row.
 * For texts of which there are few, and which name their columns.
 */
export const keepText = (text: string): void => {
  if (!names.has(text)) names.set(text, `kept_${names.size}`);
};

/** The name of a kept text. */
export const nameOf = (text: string): string | undefined => names.get(text);
