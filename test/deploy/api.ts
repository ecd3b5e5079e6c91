import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { openCertificates, trust } from "../world/certificates.ts";
import type { Scope } from "../world/empty-database.ts";
import { freePort } from "../world/free-port.ts";
import { until } from "../world/process.ts";
import { startProgram } from "../world/program.ts";
import { type KubernetesObject, objectsIn } from "./objects.ts";

/** An answer of the API server. */
interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: objects of many kinds
  readonly body: any;
  /** What it warns of. */
  readonly warnings: string;
}

/** Programs that the API server is made of. */
export interface Programs {
  readonly etcd: string;
  readonly apiServer: string;
}

/** Kubernetes' API server with its etcd: it takes and keeps objects, and nothing carries them out. */
export class Api {
  readonly #url: string;
  readonly #token: string;
  /** A file by which Helm finds it. */
  readonly kubeconfig: string;

  constructor(url: string, token: string, kubeconfig: string) {
    this.#url = url;
    this.#token = token;
    this.kubeconfig = kubeconfig;
  }

  /** Sends a request; a body is applied by the server, strictly. */
  async ask(method: string, path: string, body?: unknown, type?: string): Promise<Answer> {
    const answer = await fetch(`${this.#url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body !== undefined && { "content-type": type ?? "application/apply-patch+yaml" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      body: text.startsWith("{") ? JSON.parse(text) : text,
      warnings: answer.headers.get("warning") ?? "",
    };
  }

  /** The address of an object. */
  async pathOf({ apiVersion, kind, metadata }: KubernetesObject, namespace: string) {
    const group = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const { body } = await this.ask("GET", group);
    const kinds: readonly { readonly name: string; kind: string; namespaced: boolean }[] =
      body.resources ?? [];
    const found = kinds.find((one) => one.kind === kind && !one.name.includes("/"));
    if (found === undefined) throw new Error(`The API server has no ${apiVersion} ${kind}.`);
    const place = found.namespaced ? `/namespaces/${namespace}` : "";
    return `${group}${place}/${found.name}/${metadata.name}`;
  }

  /** Applies an object, and refuses fields that its kind does not have. */
  async apply(object: KubernetesObject, namespace = ""): Promise<Answer> {
    const path = await this.pathOf(object, namespace);
    return this.ask("PATCH", `${path}?fieldManager=tests&fieldValidation=Strict`, object);
  }

  /** Makes a namespace in which pods may have no privileges. */
  async openNamespace(name: string): Promise<string> {
    const level = "pod-security.kubernetes.io";
    const labels = { [`${level}/enforce`]: "restricted", [`${level}/warn`]: "restricted" };
    await this.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name, labels } } as never);
    return name;
  }
}

/** Starts an API server, which ends with the test or the file. */
export const startApi = async (t: Scope, programs: Programs): Promise<Api> => {
  const { folder, make } = await openCertificates(t);
  const { cert, key } = make("kubernetes");
  await trust({ cert, key });
  const address = async () => `127.0.0.1:${await freePort()}`;
  const [clients, peers, port] = [await address(), await address(), await freePort()];
  const at = { cwd: folder };
  const etcd = [
    ...["--data-dir", join(folder, "etcd"), "--log-level", "error"],
    ...[
      "--listen-client-urls",
      `http://${clients}`,
      "--advertise-client-urls",
      `http://${clients}`,
    ],
    ...[
      "--listen-peer-urls",
      `http://${peers}`,
      "--initial-advertise-peer-urls",
      `http://${peers}`,
    ],
    ...["--initial-cluster", `default=http://${peers}`, "--unsafe-no-fsync"],
  ];
  startProgram(t, programs.etcd, etcd, at);
  const token = "a-token-for-kubernetes";
  writeFileSync(join(folder, "tokens.csv"), `${token},tests,tests,system:masters\n`);
  const words = [
    `--etcd-servers=http://${clients}`,
    ...["--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", `--secure-port=${port}`],
    ...["--endpoint-reconciler-type=none", "--service-cluster-ip-range=10.96.0.0/16"],
    `--tls-cert-file=${cert}`,
    `--tls-private-key-file=${key}`,
    `--cert-dir=${folder}`,
    ...[`--token-auth-file=${join(folder, "tokens.csv")}`, "--authorization-mode=RBAC"],
    ...["--service-account-issuer=https://localhost", `--service-account-key-file=${cert}`],
    `--service-account-signing-key-file=${key}`,
    // No controller makes the accounts that pods would have.
    "--disable-admission-plugins=ServiceAccount",
  ];
  const { check } = startProgram(t, programs.apiServer, words, at);
  const url = `https://localhost:${port}`;
  const kubeconfig = join(folder, "kubeconfig");
  const named = <T>(kind: string, what: T) => [{ name: "tests", [kind]: what }];
  writeFileSync(
    kubeconfig,
    stringify({
      apiVersion: "v1",
      kind: "Config",
      "current-context": "tests",
      clusters: named("cluster", { server: url, "certificate-authority": cert }),
      users: named("user", { token }),
      contexts: named("context", { cluster: "tests", user: "tests" }),
    }),
  );
  const api = new Api(url, token, kubeconfig);
  await until("the API server is ready", async () => {
    check();
    return (await api.ask("GET", "/readyz").catch(() => undefined))?.status === 200;
  });
  return api;
};

/** Adds kinds of others, from the files of their definitions. */
export const addKinds = async (api: Api, files: readonly string[]): Promise<void> => {
  for (const file of files) {
    for (const { status: _, ...kind } of objectsIn(readFileSync(file, "utf8"))) {
      const path = await api.pathOf(kind as KubernetesObject, "");
      await api.apply(kind as KubernetesObject);
      await until(`${kind.metadata.name} is served`, async () => {
        const { body } = await api.ask("GET", path);
        const conditions: readonly { type: string; status: string }[] =
          body.status?.conditions ?? [];
        return conditions.some(({ type, status }) => type === "Established" && status === "True");
      });
    }
  }
};
