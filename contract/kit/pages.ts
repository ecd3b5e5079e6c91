import { z } from "zod";
import { textField } from "./fields.ts";
import { pageSizes } from "./plain.ts";
import { says } from "./reasons.ts";

export { pageSizes } from "./plain.ts";

/** The pagination object of every list in pages. */
export const pagination = z
  .strictObject({ page: z.int(), limit: z.int(), total: z.int(), totalPages: z.int() })
  .meta({ title: "Pagination" });
export type Pagination = z.output<typeof pagination>;

/** The criteria of a page, checked. */
export interface PageInput {
  readonly page: number;
  readonly limit: number;
  readonly sortBy: string;
  readonly sortOrder: "ASC" | "DESC";
  readonly search: string;
}

/** The pagination object of a page. */
export const paginate = (
  { page, limit }: Pick<PageInput, "page" | "limit">,
  total: number,
): Pagination => ({
  page,
  limit,
  total,
  totalPages: Math.ceil(total / limit),
});

/** ASC or DESC, in exactly this case. */
export const sortOrder = z
  .enum(["ASC", "DESC"], { error: says("invalid_sort_order") })
  .default("ASC")
  .describe("ASC: ascending; DESC: descending.");

/** A literal part of the searched fields, folded as server/lib/fold.ts says. */
export const search = textField(200, { pasted: true })
  .default("")
  .describe(
    "A literal part of a name (of people also of the email and username), in any case, with or without accents.",
  );

/** The largest page number. */
const LARGEST = Number.MAX_SAFE_INTEGER;

/** Page and limit as JSON numbers, for lists with a body. */
export const page = z
  .number({ error: says("invalid_page") })
  .int({ error: says("invalid_page") })
  .min(1, { error: says("invalid_page") })
  .max(LARGEST, { error: says("invalid_page") })
  .default(1)
  .describe("The number of the page, from 1.");

export const limit = z
  .literal([...pageSizes], { error: says("invalid_limit") })
  .default(25)
  .describe("How many entries a page has.");

/** Page and limit as digits, for lists with a query string. @param most a larger number counts as this one */
const digits = (initial: number, most = LARGEST) =>
  z
    .string({ error: says("invalid_pagination") })
    .regex(/^0*[1-9][0-9]{0,15}$/, { error: says("invalid_pagination") })
    .transform(Number)
    .refine((value) => Number.isSafeInteger(value), { error: says("invalid_pagination") })
    .overwrite((value) => Math.min(value, most))
    .default(initial)
    .meta({ description: `A whole number from 1, default ${initial}.` });

/** The parameters `page` and `limit` of a query string. */
export const queryPage = digits(1);
export const queryLimit = digits(25);

/** The same for clients, which use numbers. */
export const sentPage = z.int().min(1).optional().describe("A whole number from 1, default 1.");
export const sentLimit = z.int().min(1).optional().describe("A whole number from 1, default 25.");

/** The most entries on a page of a list with `cutLimit`. */
const MOST = 1000;
const cutDescription = `A whole number from 1, default 25; more than ${MOST} counts as ${MOST}.`;

/**
 * `limit` of lists that do not refuse a larger one than they answer: as the service reads it, and as a client writes
 * it. `pagination` counts pages of the size that they have.
 */
export const cutLimit = {
  taken: digits(25, MOST).meta({ description: cutDescription }),
  sent: sentLimit.describe(cutDescription),
} as const;

/** `limit` with a largest page size: as the service accepts it, and as a client writes it. */
export const limitTo = (most: number, initial = 25) => {
  const description = `A whole number from 1 to ${most}, default ${initial}.`;
  return {
    taken: digits(initial)
      .refine((value) => value <= most, {
        error: says("over_limit", { max: most }),
        when: ({ issues }) => issues.length === 0,
      })
      .meta({ description }),
    sent: z.int().min(1).max(most).optional().describe(description),
  } as const;
};

/** In a query string an empty parameter counts as omitted. */
export const withoutEmpty = (query: unknown): unknown =>
  typeof query === "object" && query !== null
    ? Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ""))
    : query;
