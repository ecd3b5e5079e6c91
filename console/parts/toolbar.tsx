import { NativeSelect } from "@mantine/core";
import type { ReactNode } from "react";
import type { SortOrder } from "../data/table-state.ts";
import css from "../styles/toolbar.module.css";
import { t } from "../texts/index.ts";

export const Toolbar = ({
  search,
  children,
}: {
  readonly search?: ReactNode;
  readonly children?: ReactNode;
}) => (
  <div className={css.toolbar}>
    {search && <div className={css.search}>{search}</div>}
    {children}
  </div>
);

interface SortSelectProps<Sort extends string> {
  readonly sorts: readonly { readonly sort: Sort; readonly label: string }[];
  readonly by: Sort;
  readonly order: SortOrder;
  readonly onSort: (by: Sort, order: SortOrder) => void;
}

/** Replaces the table's sortable headings on a small screen, where there is no room for them. */
export const SortSelect = <Sort extends string>({
  sorts,
  by,
  order,
  onSort,
}: SortSelectProps<Sort>) => (
  <NativeSelect
    className={css.narrow ?? ""}
    aria-label={t.table.sortBy}
    value={`${by} ${order}`}
    onChange={(event) => {
      const [sort, direction] = event.currentTarget.value.split(" ");
      onSort(sort as Sort, direction as SortOrder);
    }}
    data={sorts.flatMap(({ sort, label }) => [
      { value: `${sort} ASC`, label: `${label}, ${t.table.ascending}` },
      { value: `${sort} DESC`, label: `${label}, ${t.table.descending}` },
    ])}
  />
);
