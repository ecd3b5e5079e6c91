/** One request of a plan. */
export interface Ask {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: string;
  /** The kind of request, if a plan mixes several. */
  readonly label?: string;
}

/** The requests of a load, sent in a cycle, each with the next caller's token. */
export interface Plan {
  readonly url: string;
  readonly asks: readonly Ask[];
  readonly tokens: readonly string[];
}

export const headersOf = (token: string, body: string | undefined): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  ...(body !== undefined && { "content-type": "application/json" }),
});
