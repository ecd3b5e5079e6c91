import { z } from "zod/v4";

// Zod compiles its checks with `new Function` if it can; the Content-Security-Policy forbids that, and merely
// trying would be reported. The build substitutes this module for `zod` in the contract, so that compiling is
// switched off before the first schema is created.
z.config({ jitless: true });

export { z };
