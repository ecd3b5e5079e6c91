import { z } from "zod";
import type { FieldError } from "./reasons.ts";

/** Why a field is refused, as answers carry it, beside the code's values. */
export const fieldError = z
  .looseObject({
    field: z.string(),
    about: z.string().optional(),
    code: z.string(),
    message: z.string(),
  })
  .meta({ title: "FieldError" }) as unknown as z.ZodType<FieldError>;

/** The meanings of its fields. */
export const fieldErrorFields = {
  field: "The field, such as `tags[0]`; empty for no field.",
  about: "The field that the text names, if `field` is not it.",
  code: "The code of the reason, as the table of reasons has it; its values stand beside it.",
  message: "The text in English, made from the code and its values.",
} as const;
