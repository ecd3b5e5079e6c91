/** The version of LiveKit that this Parley runs: its settings and messages belong to it. */
export const LIVEKIT_VERSION = "1.13.5";

/** An archive of the release. */
export interface Archive {
  readonly url: string;
  readonly bytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
}

const PAGE = `https://github.com/livekit/livekit/releases/download/v${LIVEKIT_VERSION}`;

/**
 * The archives with known size and sum, by platform and architecture as Node names them. Source:
 * `checksums.txt` of the release. There is no archive for macOS.
 */
export const archives: Readonly<Record<string, Archive>> = {
  "linux-x64": {
    url: `${PAGE}/livekit_${LIVEKIT_VERSION}_linux_amd64.tar.gz`,
    bytes: 18_064_127,
    sha256: "c020fac437b7cc9b776eef1ad5ea8af77be9acfa07602eca20a3a44930dfbc70",
  },
  "linux-arm64": {
    url: `${PAGE}/livekit_${LIVEKIT_VERSION}_linux_arm64.tar.gz`,
    bytes: 16_349_520,
    sha256: "332015305518765fe05bad74fc3a9d9583e635e7dd130de3c4fc563d69c550f3",
  },
};

/** Where Go finds the same version; Go checks its sums. */
export const GO_PACKAGE = `github.com/livekit/livekit-server/cmd/server@v${LIVEKIT_VERSION}`;
