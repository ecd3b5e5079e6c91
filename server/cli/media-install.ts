import { CommandError, cliCommand } from "./command.ts";
import { configurationOf, installationSettings } from "./environment.ts";
import { showProgress } from "./progress.ts";

export const mediaInstall = cliCommand({
  name: "media install",
  arguments: [],
  options: {},
  summary: "Install LiveKit, which carries meetings of more than six people, in DATA_DIR.",
  details:
    "Downloads the version that this Parley needs, and checks its size and SHA-256 sum before\nunpacking it. If the release page cannot be reached and Go is installed, builds the same version\nwith Go.",
  examples: ["media install"],
  async run(called) {
    const { environment } = installationSettings(called);
    const { dataDir, media } = configurationOf(called);
    const { installEngine, InstallError, ownArchive } = await import("../media/install.ts");
    try {
      const installed = await installEngine({
        dataDir,
        environment,
        archive: ownArchive(),
        onProgress: showProgress("bytes of LiveKit"),
        say: (line) => void process.stderr.write(`${line}\n`),
      });
      const { path, version, from } = installed;
      const how = { release: "downloaded", go: "built with Go", "there already": "there already" };
      const unused =
        media.cluster === undefined && media.server === undefined
          ? ""
          : "\nIt is not used: LIVEKIT_URL or LIVEKIT_SERVER names another one.";
      return {
        value: installed,
        text: `LiveKit ${version} is in ${path} (${how[from]}). Restart Parley to use it.${unused}`,
      };
    } catch (error) {
      if (error instanceof InstallError) throw new CommandError(error.message);
      throw error;
    }
  },
});
