import { useMemo } from "react";
import { useSearchParams } from "react-router";
import { pageSizes } from "../../contract/kit/pages.ts";

export type SortOrder = "ASC" | "DESC";

/** The state of a table, from the address bar. */
export interface TableState<Sort extends string> {
  readonly page: number;
  readonly limit: number;
  readonly sortBy: Sort;
  readonly sortOrder: SortOrder;
  readonly search: string;
}

type Change = Readonly<Record<string, string | number | undefined>>;

const DEFAULT_LIMIT = 25;

/** Returns whether a value is the default, which is omitted from the address. */
const isDefault = (name: string, value: string | number | undefined, sort: string): boolean =>
  value === undefined ||
  value === "" ||
  (name === "page" && value === 1) ||
  (name === "limit" && value === DEFAULT_LIMIT) ||
  (name === "sortBy" && value === sort) ||
  (name === "sortOrder" && value === "ASC");

/**
 * A table's state in the address bar: only values that differ from the default are written. Views can be
 * linked, and Back works.
 *
 * @param sorts the fields that can be sorted by, the default first
 */
export const useTableState = <Sort extends string>(sorts: readonly [Sort, ...Sort[]]) => {
  const [params, setParams] = useSearchParams();
  const state = useMemo((): TableState<Sort> => {
    const page = Number(params.get("page") ?? 1);
    const limit = Number(params.get("limit") ?? DEFAULT_LIMIT);
    return {
      page: Number.isSafeInteger(page) && page > 0 ? page : 1,
      limit: (pageSizes as readonly number[]).includes(limit) ? limit : DEFAULT_LIMIT,
      sortBy: sorts.find((sort) => sort === params.get("sortBy")) ?? sorts[0],
      sortOrder: params.get("sortOrder") === "DESC" ? "DESC" : "ASC",
      search: params.get("search") ?? "",
    };
  }, [params, sorts]);

  /** Changes the view; every change except that of the page returns to the first page. */
  const change = (changes: Change, how: { readonly replace?: boolean } = {}): void => {
    // The current address, not that of the last render: a delayed search may change it right after a filter
    // did.
    const next = new URLSearchParams(location.search);
    if (!("page" in changes)) next.delete("page");
    for (const [name, value] of Object.entries(changes)) {
      if (isDefault(name, value, sorts[0])) next.delete(name);
      else next.set(name, String(value));
    }
    setParams(next, { replace: how.replace ?? false, preventScrollReset: true });
  };
  return { state, change, params };
};
