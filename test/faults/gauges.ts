const METRICS_TOKEN = "a-token-for-metrics";

/** The environment of a service whose gauges are read. */
export const gauged = { METRICS_TOKEN } as const;

const number = (text: string, name: string): number =>
  Number(new RegExp(`^parley_process_${name} (\\S+)`, "m").exec(text)?.[1]);

/** What a process takes: bytes of memory, and open files where the system tells (on Linux). */
export const readGauges = async (
  url: string,
): Promise<{ readonly memory: number; readonly files: number }> => {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const text = await (await fetch(`${url}/metrics`, { headers })).text();
  return { memory: number(text, "resident_memory_bytes"), files: number(text, "open_fds") };
};

export const inMib = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;
