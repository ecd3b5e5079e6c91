declare module "autocannon" {
  interface Request {
    method: string;
    path: string;
    headers: Record<string, string>;
    body?: string | undefined;
  }
  interface Client {
    setRequests(requests: Request[]): void;
  }
  interface Options {
    url: string;
    connections: number;
    duration: number;
    setupClient(client: Client): void;
  }
  interface Result {
    duration: number;
    latency: { p50: number };
    requests: { total: number };
    errors: number;
    non2xx: number;
  }
  function autocannon(options: Options): Promise<Result>;
  export = autocannon;
}
