import type { Twin } from "./twin.ts";

/** Lets several requests with one key run at the same time: none claims the key. */
export const claimsTogether: Twin = {
  name: "drops the claims of requests",
  replaced: [
    {
      file: "change/kept-answers.ts",
      lines: '.where("kept_answers.lease_until", "<=", now())',
      by: "",
    },
    {
      file: "change/kept-answers.ts",
      lines: 'and([eb("digest", "=", digest), eb("claim", "=", claim), eb("answer", "is", null)])',
      by: 'eb("digest", "=", digest)',
    },
  ],
};

/** Stores the answer after the change, in a separate one. */
export const keepsLater: Twin = {
  name: "keeps answers after the commit",
  replaced: [
    {
      file: "http/once.ts",
      lines: "return await work((tx, body, people) => {",
      by: "let later; const answer = await work(async (_, body, people) => {",
    },
    {
      file: "http/once.ts",
      lines: "return claim.keep(tx, { ...said, body }, person); });",
      by: `later = () =>
        service.database.change((tx) => claim.keep(tx, { ...said, body }, person));
    });
    await later?.();
    return answer;`,
    },
  ],
};
