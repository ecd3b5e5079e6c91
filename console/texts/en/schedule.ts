import { counted } from "./plural.ts";

const dayNames = {
  monday: "Monday",
  tuesday: "Tuesday",
  wednesday: "Wednesday",
  thursday: "Thursday",
  friday: "Friday",
  saturday: "Saturday",
  sunday: "Sunday",
} as const;

const listed = (days: readonly string[]): string =>
  days.length < 2 ? days.join() : `${days.slice(0, -1).join(", ")} and ${days.at(-1)}`;

const people = (count: number): string => counted(count, "person", "people");

/** When rooms are used, and who is invited. */
export const schedule = {
  button: "Schedule",
  action: "Schedule a meeting",
  newTitle: "Schedule a meeting",
  roomTitle: (name: string) => `Schedule ${name}`,
  changeTitle: (name: string) => `Change the dates of ${name}`,
  labels: {
    name: "Name",
    startsAt: "Begins",
    timeZone: "Time zone",
    minutes: "Length",
    repetition: "Repeats",
    days: "On these days",
    ends: "Ends",
    until: "Last day",
    count: "Number of dates",
    userIds: "Invite",
    emails: "Invite",
    roomAgenda: "Agenda",
  },
  inviteHelp:
    "An address, or many at once from a list. Everybody gets an email with a calendar entry.",
  inviteByName: "Name or email address",
  inviteByEmail: "Email address",
  invited: "Invited",
  uninvite: (name: string) => `Do not invite ${name}`,
  agendaHelp: "People read it before they come in.",
  length: (minutes: number): string => {
    const hours = Math.floor(minutes / 60);
    const rest = minutes % 60;
    if (hours === 0) return counted(rest, "minute", "minutes");
    if (rest === 0) return counted(hours, "hour", "hours");
    return `${hours} h ${rest} min`;
  },
  every: {
    never: "Does not repeat",
    day: "Every day",
    weekday: "Every day from Monday to Friday",
    week: "Every week",
    twoWeeks: "Every two weeks",
    month: "Every month on the same day",
  },
  days: dayNames,
  ends: { until: "On a day", count: "After a number of dates" },
  repeats: {
    day: "Every day",
    weekday: "Every day from Monday to Friday",
    week: (days: readonly (keyof typeof dayNames)[]) =>
      `Every week on ${listed(days.map((day) => dayNames[day] ?? day))}`,
    twoWeeks: (days: readonly (keyof typeof dayNames)[]) =>
      `Every two weeks on ${listed(days.map((day) => dayNames[day] ?? day))}`,
    month: "Every month on the same day",
    until: (how: string, last: string) => `${how} until ${last}`,
    count: (how: string, count: number) => `${how}, ${counted(count, "date", "dates")}`,
  },
  errors: {
    name: "Give the meeting a name.",
    startsAt: "Choose a day and a time.",
    past: "This is over. Choose a later day or time.",
    until: "Choose a day on which the dates end, not before the first one.",
    weekend: "The first date is on a weekend. Begin on a day from Monday to Friday.",
    count: "Choose a number from 2 to 500.",
    notAnAddress: (typed: string) => `${typed} is not an email address.`,
    tooMany: (most: number) => `At most ${most} people at a time.`,
  },
  tooFewSeats: (seats: number, expected: number) =>
    `The room has ${counted(seats, "seat", "seats")}, and ${people(expected)} are expected: its owners and those who are invited. Give it more seats in its settings.`,
  submitNew: "Schedule",
  submitSave: "Save",
  submitAgain: "Try again",
  /** What a change sends, before it is made. */
  sends: {
    nothing: "No email is sent.",
    invitations: (count: number) => `${people(count)} will get an invitation by email`,
    updates: (count: number) => `${people(count)} will get an email with the new dates`,
    renames: (count: number) => `${people(count)} will get an email with the new name.`,
    cancellations: (count: number) => `${people(count)} will get a cancellation by email`,
  },
  /** The room is there, and what followed failed. */
  half: (name: string, why: string) =>
    `The room ${name} is made, but it has no date yet and nobody is invited: ${why}`,
  halfHelp: "Trying again does not make a second room.",
  halfLeft: (name: string) => `The room ${name} stays, without a date. Nobody is invited.`,
  doneTitle: (name: string) => `${name} is scheduled`,
  link: "Link",
  copyLink: "Copy link",
  sent: (count: number) =>
    `Invitations are on their way to ${people(count)}, each with a calendar entry.`,
  sentNobody: "Nobody is invited by email. Copy the link and send it yourself.",
  sentToFile:
    "Nobody gets an email, because there is no mail server. Copy the link and send it yourself.",
  openRoom: "Open the room",
  calendar: {
    title: "Add to calendar",
    google: "Google Calendar",
    outlook: "Outlook",
    file: "Calendar file",
    fileName: (name: string) => name,
  },
  section: "Dates and invitations",
  sectionHelp: "When the room is used, and who gets the invitation.",
  none: "No date is set.",
  next: "Next",
  over: "The last date is over.",
  inZone: (when: string, zone: string) => `${when} (${zone})`,
  when: "Begins",
  lasts: "Length",
  repetition: "Repeats",
  once: "No",
  nobody: "Nobody",
  states: {
    waiting: "On its way",
    sent: "Sent",
    file: "Not sent: there is no mail server",
    refused: "Not delivered",
  },
  change: "Change",
  invite: "Set length and invite people",
  cancel: "Remove the dates",
  cancelTitle: (name: string) => `Remove the dates of ${name}?`,
  cancelHelp: "The room and its link stay, without a date.",
  keep: "Keep them",
  saved: (name: string) => `The dates of ${name} are saved.`,
  canceled: (name: string) => `The dates of ${name} are removed.`,
  coming: {
    title: "What is next",
    none: "No dates ahead. Meetings that you schedule or are invited to appear here.",
    noneInvited: "No dates ahead. Meetings that you are invited to appear here.",
    now: (until: string) => `now, until ${until}`,
    today: (time: string) => `today ${time}`,
    tomorrow: (time: string) => `tomorrow ${time}`,
    host: "You host",
    invited: "You are invited",
    repeats: "repeats",
    start: (name: string) => `Start ${name}`,
    open: (name: string) => `Open ${name}`,
    startShort: "Start",
    openShort: "Open",
    more: (count: number) => `and ${count.toLocaleString("en")} more`,
  },
};
