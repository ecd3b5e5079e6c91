import { parseAllDocuments } from "yaml";

/** What Kubernetes keeps, as far as tests read it. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly generation?: number };
  // biome-ignore lint/suspicious/noExplicitAny: objects of many kinds
  readonly [key: string]: any;
}

/** The objects of a file of YAML. */
export const objectsIn = (text: string): readonly KubernetesObject[] =>
  parseAllDocuments(text).flatMap((document) => document.toJS() ?? []);
