// Runs: sqlite, always

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../packaging/folder.ts";
import { blocksOf, yamlNamed } from "../site/shell.ts";
import { type KubernetesObject, objectsIn } from "./objects.ts";

const read = (file: string): string => readFileSync(join(root, file), "utf8");
const documents = ["README.md", ...globSync("docs/*.md", { cwd: root })];

/** Every object that runs pods: of the chart, and of the pages. */
const workloads: readonly (readonly [where: string, object: KubernetesObject])[] = [
  ...globSync("test/deploy/rendered/*.yaml", { cwd: root }).map(
    (file) => [file, read(file)] as const,
  ),
  ...documents.flatMap((file) =>
    blocksOf(file, read(file), "yaml").map(({ text }) => [file, text] as const),
  ),
]
  .flatMap(([where, text]) => objectsIn(text).map((object) => [where, object] as const))
  .filter(([, object]) => podOf(object) !== undefined);

/** The template of an object's pods. */
function podOf({ spec }: KubernetesObject) {
  return (spec?.jobTemplate?.spec ?? spec)?.template;
}

/** What a pod may do, beyond what the chart gives. */
const tooMuch = (object: KubernetesObject): readonly string[] => {
  const { spec } = podOf(object);
  const { securityContext = {} } = spec;
  const said = [
    ["reads a token of the cluster", spec.automountServiceAccountToken !== false],
    ["may run as root", securityContext.runAsNonRoot !== true || !securityContext.runAsUser],
    ["may use any call", securityContext.seccompProfile?.type !== "RuntimeDefault"],
  ];
  for (const container of [...spec.containers, ...(spec.initContainers ?? [])]) {
    const { securityContext: own = {}, resources = {}, volumeMounts = [] } = container;
    const mounted = volumeMounts.map(({ mountPath }: { readonly mountPath: string }) => mountPath);
    said.push(
      ["may gain privileges", own.allowPrivilegeEscalation !== false],
      ["writes to its root", own.readOnlyRootFilesystem !== true],
      ["has capabilities", own.capabilities?.drop?.[0] !== "ALL" || !!own.capabilities?.add],
      ["has no limit of memory", !resources.limits?.memory || !resources.requests?.cpu],
      ["cannot write where Parley does", !["/data", "/tmp"].every((at) => mounted.includes(at))],
    );
  }
  return said.flatMap(([what, isSo]) => (isSo ? [`${object.metadata.name} ${what}`] : []));
};

test("no container of the chart and of the pages has a right or a share of the machine too many", () => {
  const names = new Set(workloads.map(([, { metadata }]) => metadata.name));
  for (const name of ["meet-parley", "meet-parley-migrate", "meet-parley-backup", "parley-restore"])
    assert.ok(names.has(name), name);
  assert.deepEqual(
    workloads.flatMap(([where, object]) => tooMuch(object).map((what) => [where, what])),
    [],
  );
});

test("a container with no security context is found", () => {
  const [job] = objectsIn(yamlNamed("restore.yaml", "docs/kubernetes.md"));
  assert.ok(job);
  const pod = podOf(job);
  delete pod.spec.securityContext;
  delete pod.spec.containers[0].securityContext;
  delete pod.spec.containers[0].resources;
  assert.equal(tooMuch(job).length, 6);
});

test("a network policy of the chart is for all of its pods", () => {
  for (const file of globSync("test/deploy/rendered/*.yaml", { cwd: root })) {
    const objects = objectsIn(read(file));
    const policy = objects.find(({ kind }) => kind === "NetworkPolicy");
    const chosen: readonly string[] = policy?.spec.podSelector.matchExpressions[0].values ?? [];
    for (const object of objects.filter((one) => podOf(one) !== undefined)) {
      const name = podOf(object).metadata.labels["app.kubernetes.io/name"];
      assert.ok(chosen.includes(name), `${file}: ${name}`);
    }
  }
});

test("each container that a page runs has a read-only root, and no way to privileges", () => {
  const commands = documents.flatMap((file) =>
    blocksOf(file, read(file), "sh").flatMap(({ text }) =>
      [...text.replaceAll("\\\n", " ").matchAll(/^docker run .*$/gm)].map(([line]) => line),
    ),
  );
  assert.ok(commands.length > 0);
  for (const command of commands) {
    for (const option of ["--read-only", "--cap-drop ALL", "--security-opt no-new-privileges"])
      assert.ok(command.includes(option), `${command}: ${option}`);
  }
});
