import { counted } from "./plural.ts";

const lines = (count: number) => counted(count, "line", "lines");

export const imports = {
  title: "Import",
  description:
    "Bring people or rooms from a file. You first see what each line would do; nothing is done until you confirm.",
  kind: "What the file contains",
  kinds: { users: "People", rooms: "Rooms" },
  form: "Where it comes from",
  forms: {
    parley: "Parley: the fields of the API",
    greenlight: "Greenlight",
    bigbluebutton: "BigBlueButton: parameters of create",
    jitsi: "Jitsi: reservations",
  },
  file: "File (CSV or JSON)",
  fileHelp: (most: number, all: number) =>
    `Up to ${most.toLocaleString("en")} lines and 1 MB; import a longer file in parts. All lines or none: up to ${all}.`,
  paste: "Or paste its content",
  content: "The file",
  missing: "Choose a file, or paste its content.",
  unreadable: "The file cannot be read. Choose it again.",
  tooLarge: "The file is larger than 1 MB. Import it in parts.",
  check: "Check the file",
  recent: "Recent imports",
  states: {
    checking: "Not checked yet",
    ready: "Ready to confirm",
    running: "Not finished",
    done: "Done",
  },
  unnamed: "Without a name",
  checking: (done: number, of: number) => `Checking: ${done} of ${lines(of)}`,
  running: (done: number, of: number) => `Importing: ${done} of ${lines(of)}`,
  plans: { create: "To create", change: "To change", same: "As it is", refuse: "Refused" },
  outcomes: { created: "Created", changed: "Changed", same: "As it was", refused: "Refused" },
  ignored: (names: string) =>
    `These columns are skipped, because Parley does not know them: ${names}.`,
  filter: "Lines",
  everything: "All lines",
  line: "Line",
  name: "Person or room",
  plan: "What happens",
  reason: "What changes, or why not",
  what: lines,
  noMatch: "No line matches",
  all: "All lines or none",
  allHelp: (most: number) =>
    `At most ${most} lines, none of them refused. Otherwise Parley imports every line that it can.`,
  emails: "Send new people a link to choose a password",
  emailsHelp: "Without it they have no password until you reset it, which sends them one by email.",
  confirm: (count: number) => `Import ${lines(count)}`,
  nothing: "Nothing to import",
  discard: "Discard",
  goOn: "Continue",
  failed: "The import stopped. What is done stays done, and it continues where it stopped.",
  download: "Download the result",
  takeBack: "Undo the import",
  another: "Import another file",
};

/** The texts of the page on which an imported person chooses a password. */
export const choosing = {
  title: "Choose your password",
  submit: "Save the password",
  done: "Your password is saved",
  signIn: (username: string) =>
    `Sign in with it and with your email address, or with the username ${username}.`,
  toSignIn: "Go to sign-in",
};
