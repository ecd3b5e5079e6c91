import { meet } from "./en/meet.ts";
import { language } from "./index.ts";
import { isolating } from "./isolated.ts";

/** Every text of the meeting page, apart from the console's: each page loads only its own. */
type MeetTexts = typeof meet;

const languages: Readonly<Record<string, MeetTexts>> = { en: meet };

export const m: MeetTexts = isolating(languages[language] ?? meet);
