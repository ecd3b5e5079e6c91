const METRICS_TOKEN = "a-token-for-metrics";

/** The environment of a service with readable gauges. */
export const gauged = { METRICS_TOKEN } as const;

const number = (text: string, name: string): number =>
  Number(new RegExp(`^parley_process_${name} (\\S+)`, "m").exec(text)?.[1]);

/** The resources of a process: bytes of memory, and open files if the system reports them (on Linux). */
export const readGauges = async (
  url: string,
): Promise<{ readonly memory: number; readonly files: number }> => {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const text = await (await fetch(`${url}/metrics`, { headers })).text();
  return { memory: number(text, "resident_memory_bytes"), files: number(text, "open_fds") };
};

export const inMib = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;
