import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installed, run, type Tool } from "../generators/tools.ts";

/* Programs that check what is in deploy/, built once into `.cache/deploy` from Go's modules. */

const folder = fileURLToPath(new URL("../../.cache/deploy", import.meta.url));

const HELM = "helm.sh/helm/v3/cmd/helm@v3.19.2";
const KUBECONFORM = "github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0";
const ACTIONLINT = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.9";

const goProgram = (address: string): Promise<Tool> => {
  const path = join(folder, basename(address.replace(/@.*/, "")));
  return installed(path, "Go", ["go", "version"], () =>
    run("go", ["install", address], {
      env: { ...process.env, GOBIN: folder, GOFLAGS: "", CGO_ENABLED: "0" },
    }),
  );
};

export const helm = (): Promise<Tool> => goProgram(HELM);
export const kubeconform = (): Promise<Tool> => goProgram(KUBECONFORM);
export const actionlint = (): Promise<Tool> => goProgram(ACTIONLINT);

/** The files of a Go module, without those that it imports. */
export const goModule = async (name: string, version: string): Promise<Tool> => {
  mkdirSync(folder, { recursive: true });
  const asked = ["mod", "download", "-json", `${name}@${version}`];
  const { ok, out } = await run("go", asked, { cwd: folder, env: { ...process.env, GOFLAGS: "" } });
  if (!ok) return { missing: `the module ${name} could not be downloaded (it needs Go)` };
  return { path: JSON.parse(out).Dir };
};

/** How long a large program may take to be built. */
const BUILD_MS = 3_600_000;

/** A program that is built from the modules that its one file imports. */
interface Source {
  readonly name: string;
  readonly file: URL;
  /** The lines of its go.mod that say which versions. */
  readonly requirements: () => Promise<readonly string[]>;
  /** Values of variables that its own builds set. */
  readonly variables?: Readonly<Record<string, string>>;
}

const goBuilt = ({ name, file, requirements, variables = {} }: Source): Promise<Tool> => {
  const path = join(folder, name);
  return installed(path, "Go", ["go", "version"], async () => {
    const home = join(folder, `${name}-module`);
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "main.go"), readFileSync(file));
    const lines = [`module parley.example/${name}`, "go 1.26.0", ...(await requirements())];
    writeFileSync(join(home, "go.mod"), `${lines.join("\n")}\n`);
    const set = Object.entries(variables).map(([variable, value]) => `-X ${variable}=${value}`);
    const flags = ["-mod=mod", `-ldflags=${["-s", "-w", ...set].join(" ")}`];
    await run("go", ["build", ...flags, "-o", path, "."], {
      cwd: home,
      timeout: BUILD_MS,
      env: { ...process.env, GOFLAGS: "" },
    });
  });
};

/**
 * The version of Kubernetes whose API server takes what the chart makes: 1.MINOR.PATCH. The schemas are of the next
 * minor version (schemas.ts), so that the chart is tried with two.
 */
const API_SERVER = "1.33.5";

/** Kubernetes' API server. Its module requires its parts as folders beside it; they are modules of their own. */
export const apiServer = (): Promise<Tool> => {
  const parts = API_SERVER.replace(/^1/, "v0");
  const version = "k8s.io/component-base/version";
  return goBuilt({
    name: "kube-apiserver",
    file: new URL("api-server/main.go", import.meta.url),
    requirements: async () => {
      const kubernetes = await goModule("k8s.io/kubernetes", `v${API_SERVER}`);
      if ("missing" in kubernetes) return [];
      const own = readFileSync(join(kubernetes.path, "go.mod"), "utf8");
      const beside = own.matchAll(/^\t(k8s\.io\/\S+) => \.\/staging/gm);
      return [
        `require k8s.io/kubernetes v${API_SERVER}`,
        ...[...beside].map(([, part]) => `replace ${part} => ${part} ${parts}`),
      ];
    },
    variables: {
      [`${version}.gitVersion`]: `v${API_SERVER}`,
      [`${version}.gitMajor`]: "1",
      [`${version}.gitMinor`]: API_SERVER.split(".")[1] ?? "",
    },
  });
};

/** One release of OpenTelemetry's collector. */
const COLLECTOR = "v0.165.0";

/** OpenTelemetry's collector, with what takes traces and what writes them. */
export const otelCollector = (): Promise<Tool> =>
  goBuilt({
    name: "otel-collector",
    file: new URL("otel-collector/main.go", import.meta.url),
    requirements: async () =>
      ["otelcol", "receiver/otlpreceiver", "exporter/debugexporter"].map(
        (part) => `require go.opentelemetry.io/collector/${part} ${COLLECTOR}`,
      ),
  });
