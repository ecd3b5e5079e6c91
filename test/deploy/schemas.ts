import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { goModule } from "./tools.ts";

/* Strict JSON Schemas of what the chart makes, from the modules in which Kubernetes and two others publish theirs. */

/** The version of Kubernetes for which the chart is checked. */
export const KUBERNETES = "1.34.3";

interface Schema {
  readonly [key: string]: unknown;
}

/** Kubernetes' own kinds, as `x-kubernetes-group-version-kind` has them. */
const kinds = [
  ["", "v1", "Service"],
  ["", "v1", "PersistentVolumeClaim"],
  ["apps", "v1", "Deployment"],
  ["batch", "v1", "CronJob"],
  ["batch", "v1", "Job"],
  ["policy", "v1", "PodDisruptionBudget"],
  ["networking.k8s.io", "v1", "NetworkPolicy"],
  ["networking.k8s.io", "v1", "Ingress"],
] as const;

/** Kinds of others: a module, a version, the file of the definition. */
const others = [
  [
    "sigs.k8s.io/gateway-api",
    "v1.4.1",
    "config/crd/standard/gateway.networking.k8s.io_httproutes.yaml",
  ],
  [
    "github.com/prometheus-operator/prometheus-operator",
    "v0.92.1",
    "example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml",
  ],
] as const;

/** The files in which others define their kinds. */
export const otherKinds = async (): Promise<readonly string[] | { readonly missing: string }> => {
  const files: string[] = [];
  for (const [name, version, file] of others) {
    const module = await goModule(name, version);
    if ("missing" in module) return module;
    files.push(join(module.path, file));
  }
  return files;
};

/** A schema that refuses unknown fields, and takes numbers where Kubernetes does. */
const strict = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(strict);
  if (typeof value !== "object" || value === null) return value;
  const schema = value as Schema;
  if (schema.format === "int-or-string") return { type: ["integer", "string"] };
  const made = Object.fromEntries(Object.entries(schema).map(([key, one]) => [key, strict(one)]));
  const isClosed = typeof schema.properties === "object" && !("additionalProperties" in schema);
  return isClosed && !("x-kubernetes-preserve-unknown-fields" in schema)
    ? { ...made, additionalProperties: false }
    : made;
};

/** The name under which kubeconform looks for a kind. */
const fileOf = (group: string, version: string, kind: string): string =>
  [kind.toLowerCase(), ...(group === "" ? [] : [group.split(".")[0]]), `${version}.json`].join("-");

/**
 * Writes the schemas into a folder.
 *
 * @returns where kubeconform finds them, or why they are missing
 */
export const writeSchemas = async (
  folder: string,
): Promise<{ readonly location: string } | { readonly missing: string }> => {
  mkdirSync(folder, { recursive: true });
  const write = (name: string, schema: unknown) =>
    writeFileSync(join(folder, name), JSON.stringify(schema));
  const kubernetes = await goModule("k8s.io/kubernetes", `v${KUBERNETES}`);
  if ("missing" in kubernetes) return kubernetes;
  const text = readFileSync(join(kubernetes.path, "api/openapi-spec/swagger.json"), "utf8");
  const definitions: Record<string, Schema> = JSON.parse(text).definitions;
  for (const [group, version, kind] of kinds) {
    const [found] = Object.entries(definitions).find(([, schema]) => {
      const names = schema["x-kubernetes-group-version-kind"] as Schema[] | undefined;
      return names?.some(
        (one) => one.group === group && one.version === version && one.kind === kind,
      );
    }) ?? [""];
    write(fileOf(group, version, kind), {
      $ref: `#/definitions/${found}`,
      definitions: strict(definitions),
    });
  }
  const files = await otherKinds();
  if ("missing" in files) return files;
  for (const file of files) {
    const { spec } = parse(readFileSync(file, "utf8"));
    for (const { name: version, schema } of spec.versions) {
      write(fileOf(spec.group, version, spec.names.kind), strict(schema.openAPIV3Schema));
    }
  }
  return { location: join(folder, "{{ .ResourceKind }}{{ .KindSuffix }}.json") };
};
