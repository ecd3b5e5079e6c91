import type { Person } from "./people.ts";

/**
 * The paths of a page's media: for each path in use, the kinds of its two ends and the transport from the
 * page, as in "host host udp".
 */
export const waysOf = ({ page }: Person): Promise<string[]> =>
  page.evaluate(`Promise.all(globalThis.connections.map((pc) => pc.getStats())).then((all) =>
    all.flatMap((stats) => [...stats.values()]
      .filter(({ type, nominated, state }) => type === "candidate-pair" && nominated && state === "succeeded")
      .map((pair) => [stats.get(pair.localCandidateId), stats.get(pair.remoteCandidateId)])
      .map(([here, there]) =>
        [here.candidateType, there.candidateType, here.relayProtocol ?? here.protocol].join(" "))))`);
