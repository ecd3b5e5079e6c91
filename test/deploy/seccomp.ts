import { readFileSync } from "node:fs";

/** For whom a rule of a profile is, as Docker writes it. */
interface Whom {
  readonly caps?: readonly string[];
  readonly arches?: readonly string[];
}

interface Rule {
  readonly names: readonly string[];
  readonly action: string;
  readonly includes?: Whom;
  readonly excludes?: Whom;
}

interface Profile {
  readonly defaultAction: string;
  readonly defaultErrnoRet?: number;
  readonly archMap: readonly {
    readonly architecture: string;
    readonly subArchitectures: readonly string[];
  }[];
  readonly syscalls: readonly Rule[];
}

/** The architecture of this machine, by its names in rules and among those of the kernel. */
const ARCH = process.arch === "arm64" ? "arm64" : "amd64";
const KERNEL = process.arch === "arm64" ? "AARCH64" : "X86_64";

/** The part of Docker's profile that runc reads: the rules for a container without rights on this machine. */
export const seccompOf = (file: string) => {
  const profile = JSON.parse(readFileSync(file, "utf8")) as Profile;
  const own = profile.archMap.find(({ architecture }) => architecture === `SCMP_ARCH_${KERNEL}`);
  const isFor = ({ includes = {}, excludes = {} }: Rule): boolean =>
    (includes.caps ?? []).length === 0 &&
    (includes.arches?.includes(ARCH) ?? true) &&
    !(excludes.arches?.includes(ARCH) ?? false);
  return {
    defaultAction: profile.defaultAction,
    defaultErrnoRet: profile.defaultErrnoRet,
    architectures: [own?.architecture, ...(own?.subArchitectures ?? [])],
    syscalls: profile.syscalls.filter(isFor).map(({ includes: _, excludes: __, ...rule }) => rule),
  };
};
