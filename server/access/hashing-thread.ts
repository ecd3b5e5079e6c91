// The thread of passwords.ts: one password after the other.
import { hashSync, verifySync } from "@node-rs/argon2";
import { lowerPriority } from "../lib/processes.ts";
import { answerQuestions } from "../lib/thread.ts";
import type { HashingQuestion } from "./passwords.ts";

// On Linux each thread has a priority of its own. This one yields: a password may take a little
// longer, other requests must not. Elsewhere a priority belongs to the whole process.
if (process.platform === "linux") lowerPriority(0, 10);

answerQuestions<HashingQuestion, string | boolean>((question) =>
  "digest" in question
    ? verifySync(question.digest, question.password)
    : hashSync(question.password, question.parameters),
);
