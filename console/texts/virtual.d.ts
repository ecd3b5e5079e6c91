/** The messages of each complete language, which the build compiles from languages/. */
declare module "virtual:texts" {
  import type { Texts } from "./index.ts";
  import type { MeetTexts } from "./meet.ts";

  /** Loads the messages of a language, and nothing else. */
  export const loaders: Readonly<
    Record<
      string,
      {
        readonly console: () => Promise<{ readonly messages: Texts }>;
        readonly meet: () => Promise<{ readonly messages: MeetTexts }>;
      }
    >
  >;
}
