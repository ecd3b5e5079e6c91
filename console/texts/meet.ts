import type { Messages } from "../../languages/messages.ts";

/** Every text of the meeting page, apart from the console's. */
export type MeetTexts = Messages["meet"];

/** The texts of the meeting page in the page's language. */
export let m = {} as MeetTexts;

/** Sets the texts of the meeting page. */
export const setMeetTexts = (texts: MeetTexts): void => {
  m = texts;
};
