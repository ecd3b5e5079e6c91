import { readFileSync } from "node:fs";
import { parse } from "yaml";

/** A service of deploy/compose.yaml, as far as tests read it. */
export interface ComposeService {
  readonly image: string;
  readonly profiles?: readonly string[];
  readonly build?: { readonly target: string };
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly restart?: string;
  readonly init?: boolean;
  readonly stop_signal?: string;
  readonly stop_grace_period?: string;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?:
    | readonly string[]
    | Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
}

export interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/** The text of deploy/compose.yaml. */
export const composeText = readFileSync(
  new URL("../../deploy/compose.yaml", import.meta.url),
  "utf8",
);

const REFERENCE = /\$\{(?<name>\w+)(?::-(?<otherwise>[^}]*))?\}/g;

/** The variables that the file takes from deploy/.env. */
export const composeVariables: readonly string[] = [
  ...new Set([...composeText.matchAll(REFERENCE)].map(({ groups }) => groups?.name ?? "")),
];

/**
 * The file as Compose reads it.
 *
 * @param settings the lines of deploy/.env
 */
export const readCompose = (settings: Readonly<Record<string, string>> = {}): Compose => {
  const text = composeText.replaceAll(
    REFERENCE,
    (_, name: string, otherwise?: string) => settings[name] || (otherwise ?? ""),
  );
  return parse(text, { merge: true }) as Compose;
};
