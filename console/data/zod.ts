import { z } from "zod/v4";

// Zod compiles its checks with `new Function` where it may; the Content-Security-Policy forbids
// it, and only trying would be reported. The build gives the contract this module for `zod`, so
// that it is said before the first schema is made.
z.config({ jitless: true });

export { z };
