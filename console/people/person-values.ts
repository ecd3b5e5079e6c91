import type { z } from "zod";
import { createUser } from "../../contract/people/users.ts";
import { ParleyError, sayFailure } from "../kit/client.ts";
import { defaultOf } from "../kit/schema.ts";

const { loginUrl: _, passwordByLink: __, mustChoosePassword, ...fields } = createUser.input.shape;
// If it is omitted, the organization decides; the switch of the form is off then.
const shape = { ...fields, mustChoosePassword: mustChoosePassword.unwrap().default(false) };

/** A field of a person in the forms: every field that a person is created with. */
export type PersonField = keyof typeof shape;
/** A person as the forms hold it. */
export type PersonValues = { readonly [K in PersonField]: z.output<(typeof shape)[K]> };

export const personSchemas: Readonly<Record<PersonField, z.ZodType>> = shape;

const names = Object.keys(shape) as PersonField[];

/** The value of an untouched field for a new person; undefined if it must be filled in. */
export const initialOf = (name: PersonField): unknown => defaultOf(shape[name]);

/** A new person: every field at its default. */
export const newPerson = Object.fromEntries(
  names.map((name) => [name, initialOf(name) === undefined ? "" : initialOf(name)]),
) as unknown as PersonValues;

/** The fields of a person that the forms edit. */
export const personValuesOf = (person: PersonValues): PersonValues =>
  Object.fromEntries(names.map((name) => [name, person[name]])) as unknown as PersonValues;

/** The field to which a refusal of an email address belongs. */
export const emailTaken = (failure: unknown): Readonly<Record<string, string>> =>
  failure instanceof ParleyError && failure.code === "email_taken"
    ? { email: sayFailure(failure) }
    : {};
