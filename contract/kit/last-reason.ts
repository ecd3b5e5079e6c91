import { z } from "zod";

/** Why the last try of an email or a delivery failed; the values of the code stand beside it. */
export const lastReason = z
  .looseObject({ code: z.string() })
  .meta({ title: "LastReason" }) as unknown as z.ZodType<{ readonly code: string }>;
