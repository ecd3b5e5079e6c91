import { ActionIcon, NativeSelect } from "@mantine/core";
import { IconAdjustmentsHorizontal } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { t } from "../texts/index.ts";
import { showRow } from "./show.ts";
import type { SortOrder } from "./table-state.ts";
import css from "./toolbar.module.css";

/** The search and the filters above a table; beside a search on a small screen, a button shows the filters. */
export const Toolbar = ({
  search,
  children,
}: {
  readonly search?: ReactNode;
  readonly children?: ReactNode;
}) => {
  const [open, setOpen] = useState(false);
  const folds = search !== undefined && children !== undefined;
  return (
    <div className={css.toolbar} data-folded={(folds && !open) || undefined}>
      {search && <div className={css.search}>{search}</div>}
      {folds && (
        <ActionIcon
          className={css.unfold ?? ""}
          variant="default"
          size={36}
          aria-label={t.table.filters}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          <IconAdjustmentsHorizontal size={18} />
        </ActionIcon>
      )}
      {children}
    </div>
  );
};

interface SortSelectProps<Sort extends string> {
  readonly sorts: readonly { readonly sort: Sort; readonly label: string }[];
  readonly by: Sort;
  readonly order: SortOrder;
  readonly onSort: (by: Sort, order: SortOrder) => void;
}

/** Replaces sortable headings on a small screen. */
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
      { value: `${sort} ASC`, label: showRow([label, t.table.ascending]) },
      { value: `${sort} DESC`, label: showRow([label, t.table.descending]) },
    ])}
  />
);
