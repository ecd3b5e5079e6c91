import { mkdirSync } from "node:fs";
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
