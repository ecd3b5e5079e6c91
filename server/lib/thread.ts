import { parentPort, Worker } from "node:worker_threads";

/** A thread that answers questions one after the other. */
export interface Thread<Question, Answer> {
  /** @throws the thread's error, with the properties that identify it */
  ask(question: Question): Promise<Answer>;
  end(): Promise<void>;
}

interface Asked<Question> {
  readonly id: number;
  readonly question: Question;
}

/** A message carries only an error's text; other properties travel beside it. */
type Outcome<Answer> =
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly message: string; readonly error: object };

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** A thread's objects are short-lived and must not pile up. */
const maxYoungGenerationSizeMb = 4;

/**
 * A thread that starts with the first question, and again with the next one after a crash.
 *
 * @param file a module that calls `answerQuestions`
 * @param workerData passed to the module
 */
export const openThread = <Question, Answer>(
  file: URL,
  workerData?: unknown,
): Thread<Question, Answer> => {
  const waiting = new Map<number, Waiting<Answer>>();
  let thread: Worker | undefined;
  let asked = 0;

  const start = (): Worker => {
    const started = new Worker(file, { workerData, resourceLimits: { maxYoungGenerationSizeMb } });
    const broken = (error: unknown): void => {
      if (thread !== started) return;
      thread = undefined;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    started.on("message", (outcome: Outcome<Answer>) => {
      const { resolve, reject } = waiting.get(outcome.id) ?? {};
      waiting.delete(outcome.id);
      if (waiting.size === 0) started.unref();
      if ("answer" in outcome) resolve?.(outcome.answer);
      else reject?.(Object.assign(new Error(outcome.message), outcome.error));
    });
    started.once("error", broken);
    started.once("exit", () => broken(new Error(`The thread ${file.pathname} has ended.`)));
    return started;
  };

  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        thread ??= start();
        // A pending question keeps the process alive; an idle thread does not.
        thread.ref();
        asked += 1;
        waiting.set(asked, { resolve, reject });
        thread.postMessage({ id: asked, question } satisfies Asked<Question>);
      }),
    async end() {
      const ending = thread;
      thread = undefined;
      await ending?.terminate();
    },
  };
};

/** Answers each question, in the thread. */
export const answerQuestions = <Question, Answer>(answer: (question: Question) => Answer): void => {
  const outcomeOf = ({ id, question }: Asked<Question>): Outcome<Answer> => {
    try {
      return { id, answer: answer(question) };
    } catch (error) {
      return { id, message: (error as Error).message, error: { ...(error as object) } };
    }
  };
  parentPort?.on("message", (asked: Asked<Question>) => parentPort?.postMessage(outcomeOf(asked)));
};
