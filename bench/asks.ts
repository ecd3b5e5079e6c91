import type { Dataset } from "./dataset.ts";
import type { Ask, Plan } from "./load/plan.ts";

/** The number of different requests in a plan. */
const MANY = 4096;

export const many = (make: (at: number) => Ask): Ask[] =>
  Array.from({ length: MANY }, (_, at) => make(at));

export const anyOf = <T>(list: readonly T[]): T =>
  list[Math.floor(Math.random() * list.length)] as T;

/** A plan of requests with the tokens of a dataset. */
export const planOf = (
  { url }: { readonly url: string },
  { tokens }: Dataset,
  asks: readonly Ask[],
): Plan => ({
  url,
  asks,
  tokens,
});

/** A random room by its ID. */
export const fetches = ({ roomIds }: Dataset): Ask[] =>
  roomIds.map((room) => ({ method: "GET", path: `/api/roomSetting/${room}` }));

export const LIMIT = 25;

export const orders = ["name", "createdAt", "updatedAt"].flatMap((sortBy) =>
  ["ASC", "DESC"].map((sortOrder) => ({ sortBy, sortOrder })),
);

/** A page of rooms. */
export const page = (query: Readonly<Record<string, string | number>>, label = "all"): Ask => {
  const asked = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, `${value}`]),
  );
  return { method: "GET", path: `/api/roomSetting/paginated?${asked}`, label };
};

export const pagesOf = ({ rooms }: Dataset): number => Math.ceil(rooms / LIMIT);

export const anyPage = (dataset: Dataset): number =>
  1 + Math.floor(Math.random() * pagesOf(dataset));

/** New rooms of people of the organization. */
export const creates = ({ ownerIds }: Dataset): Ask[] =>
  many((at) => ({
    method: "POST",
    path: "/api/roomSetting",
    body: JSON.stringify({ name: `Bench ${at}`, roomOwnerId: anyOf(ownerIds) }),
  }));

let people = 0;

/** New people, each with a different email address. */
export const newPeople = (): Ask[] =>
  many(() => {
    people += 1;
    return {
      method: "POST",
      path: "/api/user/orgUser",
      body: JSON.stringify({
        name: "Bench Person",
        email: `bench.${process.pid}.${people}@people.example`,
        loginUrl: "https://meet.example.org/",
        role: "agent",
      }),
    };
  });
