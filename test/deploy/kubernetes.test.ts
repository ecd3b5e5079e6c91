// Runs: sqlite, complete

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { root } from "../../packaging/folder.ts";
import { run } from "../generators/tools.ts";
import { unpacked } from "../run/unpacked.ts";
import { yamlNamed } from "../site/shell.ts";
import { until } from "../world/process.ts";
import { soaking } from "../world/seed.ts";
import { type Api, addKinds, startApi } from "./api.ts";
import { type KubernetesObject, objectsIn } from "./objects.ts";
import { otherKinds } from "./schemas.ts";
import { apiServer, helm } from "./tools.ts";

/*
 * What the chart makes, in Kubernetes' own API server, which takes long to be built. No controller and no node runs:
 * tests stand for the controller that ends Jobs.
 */

const tools = await (async () => {
  if (!soaking) return { missing: "builds Kubernetes' API server: in the long run only" };
  const etcd = unpacked("etcd-server", "usr/bin/etcd");
  if (etcd === undefined) return { missing: "Debian's package of etcd cannot be had" };
  const kinds = await otherKinds();
  if ("missing" in kinds) return kinds;
  const [server, helmTool] = [await apiServer(), await helm()];
  if ("missing" in server) return server;
  if ("missing" in helmTool) return helmTool;
  return { etcd, kinds, server: server.path, helm: helmTool.path };
})();
const skip = "missing" in tools && tools.missing;

const chart = join(root, "deploy/helm/parley");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const sets = globSync("*.yaml", { cwd: join(root, "test/deploy/rendered") }).sort();

/** One server for all tests: each has namespaces of its own. */
const started = await (async (): Promise<Api | undefined> => {
  if ("missing" in tools) return undefined;
  const api = await startApi(test, { etcd: tools.etcd, apiServer: tools.server });
  await addKinds(api, tools.kinds);
  return api;
})();
const server = (): Api => started ?? assert.fail("it is not there");

/** Applies objects to a namespace without privileges. @returns what the API server says against them */
const saidOf = async (
  api: Api,
  namespace: string,
  objects: readonly KubernetesObject[],
): Promise<readonly string[]> => {
  const said: string[] = [];
  await api.openNamespace(namespace);
  for (const object of objects) {
    const { status, body, warnings } = await api.apply(object, namespace);
    if (status !== 201) said.push(`${object.kind} ${object.metadata.name}: ${body.message}`);
    if (warnings !== "") said.push(`${object.kind} ${object.metadata.name}: ${warnings}`);
  }
  return said;
};

test("Kubernetes takes all that the chart and its page make, and warns of no privilege", {
  skip,
}, async () => {
  const api = server();
  for (const set of sets) {
    const objects = objectsIn(read(`test/deploy/rendered/${set}`));
    assert.ok(objects.length > 2, set);
    assert.deepEqual(await saidOf(api, set.replace(".yaml", ""), objects), [], set);
  }
  const restore = yamlNamed("restore.yaml", "docs/kubernetes.md");
  assert.deepEqual(await saidOf(api, "restore", objectsIn(restore)), []);

  const loose = restore.replace("runAsNonRoot: true", "runAsNonRoot: false");
  assert.match((await saidOf(api, "loose", objectsIn(loose))).join(), /runAsNonRoot/);
  const wrong = restore.replace("backoffLimit", "backOffLimit");
  assert.match((await saidOf(api, "wrong", objectsIn(wrong))).join(), /backOffLimit/);
});

/** The end of a Job, as its controller writes it. */
const ended = (isDone: boolean) => {
  const at = new Date().toISOString().replace(/\.\d+/, "");
  const condition = (type: string, reason: string) => ({
    type,
    reason,
    status: "True",
    message: reason,
    lastTransitionTime: at,
    lastProbeTime: at,
  });
  return isDone
    ? {
        startTime: at,
        completionTime: at,
        succeeded: 1,
        conditions: [
          condition("SuccessCriteriaMet", "CompletionsReached"),
          condition("Complete", "CompletionsReached"),
        ],
      }
    : {
        startTime: at,
        failed: 3,
        conditions: [
          condition("FailureTarget", "BackoffLimitExceeded"),
          condition("Failed", "BackoffLimitExceeded"),
        ],
      };
};

/** A release of the chart in a namespace. */
const openRelease = async (api: Api, namespace: string) => {
  await api.openNamespace(namespace);
  const deployment = async () => {
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments/meet-parley`;
    const { status, body } = await api.ask("GET", path);
    return status === 404 ? undefined : (body as KubernetesObject);
  };
  return {
    deployment,
    /** Carries out one of Helm's commands, and ends its Job of the migration. */
    carryOut: async (command: "install" | "upgrade", set: string, isDone = true) => {
      assert.ok("helm" in tools);
      const before = await deployment();
      let isOver = false;
      const done = run(
        tools.helm,
        [
          ...[command, "meet", chart, "--namespace", namespace, "--timeout", "120s"],
          ...["--kubeconfig", api.kubeconfig, "--values"],
          join(root, "test/deploy/chart-values", set),
        ],
        { env: { PATH: process.env.PATH, HOME: dirname(api.kubeconfig) } },
      ).finally(() => {
        isOver = true;
      });
      const job = `/apis/batch/v1/namespaces/${namespace}/jobs/meet-parley-migrate`;
      await until("the migration is asked for", async () => {
        return isOver || (await api.ask("GET", job)).status === 200;
      });
      if (isOver) assert.fail((await done).out);
      const atMigration = await deployment();
      assert.equal(
        atMigration?.metadata.generation,
        before?.metadata.generation,
        "nothing is rolled out before the migration",
      );
      const type = "application/merge-patch+json";
      const { status, body } = await api.ask(
        "PATCH",
        `${job}/status`,
        { status: ended(isDone) },
        type,
      );
      assert.equal(status, 200, body.message);
      return done;
    },
  };
};

test("Helm installs the chart and upgrades it from one set of values to another, each time after its migration", {
  skip,
}, async () => {
  const api = server();
  const release = await openRelease(api, "upgraded");
  const [first = "", ...others] = sets.filter((set) => set !== "smallest.yaml");
  const installed = await release.carryOut("install", first);
  assert.ok(installed.ok, installed.out);
  const image = async () => (await release.deployment())?.spec.template.spec.containers[0].image;
  for (const set of others) {
    const upgraded = await release.carryOut("upgrade", set);
    assert.ok(upgraded.ok, `${set}: ${upgraded.out}`);
    const wanted = objectsIn(read(`test/deploy/rendered/${set}`));
    const rendered = wanted.find(({ kind }) => kind === "Deployment");
    assert.equal(await image(), rendered?.spec.template.spec.containers[0].image, set);
    const lasting = wanted.filter(({ metadata }) => metadata.name !== "meet-parley-migrate");
    for (const object of lasting) {
      const { status } = await api.ask("GET", await api.pathOf(object, "upgraded"));
      assert.equal(status, 200, `${set}: ${object.kind}`);
    }
  }
});

test("an upgrade whose migration fails rolls nothing out", { skip }, async () => {
  const api = server();
  const release = await openRelease(api, "failing");
  const installed = await release.carryOut("install", "postgresql.yaml");
  assert.ok(installed.ok, installed.out);
  const before = await release.deployment();
  const upgraded = await release.carryOut("upgrade", "replicas.yaml", false);
  assert.ok(!upgraded.ok);
  assert.match(upgraded.out, /pre-upgrade hooks failed/);
  assert.deepEqual((await release.deployment())?.spec, before?.spec);
});
