/** One request of a plan. */
export interface Ask {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: string;
  /** What it is counted as, where a plan mixes several kinds. */
  readonly label?: string;
}

/** What a load asks for: its requests one after the other, round and round, each as the next caller. */
export interface Plan {
  readonly url: string;
  readonly asks: readonly Ask[];
  readonly tokens: readonly string[];
}

export const headersOf = (token: string, body: string | undefined): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  ...(body !== undefined && { "content-type": "application/json" }),
});
