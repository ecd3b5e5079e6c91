import { Checkbox, Skeleton } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconSelector } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { t } from "../texts/index.ts";
import css from "./data-table.module.css";
import type { SortOrder } from "./table-state.ts";

export interface Column<Row, Sort extends string = string> {
  readonly key: string;
  readonly label: string;
  /** The field by which the service sorts this column. */
  readonly sort?: Sort;
  /** The row's heading: the first thing on a small screen. */
  readonly heading?: boolean;
  /** Takes a whole line on a small screen. */
  readonly wide?: boolean;
  /** Breaks long texts, such as names. */
  readonly breaks?: boolean;
  /** Hidden if the table has little room. */
  readonly minor?: boolean;
  readonly render: (row: Row) => ReactNode;
}

export interface Selection {
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
  readonly isFixed?: (id: string) => boolean;
}

interface DataTableProps<Row, Sort extends string> {
  readonly label: string;
  readonly columns: readonly Column<Row, Sort>[];
  /** undefined while the first page is loading. */
  readonly rows: readonly Row[] | undefined;
  readonly idOf: (row: Row) => string;
  readonly nameOf: (row: Row) => string;
  /** True if the shown rows are about to be replaced. */
  readonly stale?: boolean;
  readonly sorting?: {
    readonly by: Sort;
    readonly order: SortOrder;
    readonly onSort: (by: Sort, order: SortOrder) => void;
  };
  readonly selection?: Selection | undefined;
  readonly menu?: (row: Row) => ReactNode;
}

const SKELETONS = 8;

/** ARIA roles written out: a table displayed as cards on a small screen loses its own. */
const roles = {
  table: { role: "table" },
  rowgroup: { role: "rowgroup" },
  row: { role: "row" },
  columnheader: { role: "columnheader" },
  cell: { role: "cell" },
} as const;

const SortButton = ({
  label,
  order,
  onClick,
}: {
  readonly label: string;
  readonly order: SortOrder | undefined;
  readonly onClick: () => void;
}) => {
  const Icon = order === undefined ? IconSelector : order === "ASC" ? IconArrowUp : IconArrowDown;
  return (
    <button type="button" className={css.sort} onClick={onClick}>
      {label}
      <Icon size={14} aria-hidden className={order === undefined ? css.idle : ""} />
    </button>
  );
};

/** A cell's content: plain text is usually somebody else's. */
const cell = (shown: ReactNode): ReactNode =>
  typeof shown === "string" ? <bdi>{shown}</bdi> : shown;

/** A table that becomes a list of cards on a small screen. */
export const DataTable = <Row, Sort extends string>(props: DataTableProps<Row, Sort>) => {
  const { label, columns, rows, idOf, nameOf, stale = false, sorting, selection, menu } = props;
  const free = (rows ?? []).map(idOf).filter((id) => !selection?.isFixed?.(id));
  const chosen = free.filter((id) => selection?.selected.has(id)).length;

  const toggle = (id: string): void => {
    const next = new Set(selection?.selected);
    if (!next.delete(id)) next.add(id);
    selection?.onSelect(next);
  };
  const togglePage = (): void => {
    const next = new Set(selection?.selected);
    for (const id of free) chosen === free.length ? next.delete(id) : next.add(id);
    selection?.onSelect(next);
  };

  return (
    <table
      className={css.table}
      {...roles.table}
      aria-label={label}
      aria-busy={stale || rows === undefined}
    >
      <thead {...roles.rowgroup}>
        <tr {...roles.row}>
          {selection && (
            <th {...roles.columnheader} className={css.check}>
              <Checkbox
                aria-label={t.table.selectPage}
                checked={free.length > 0 && chosen === free.length}
                indeterminate={chosen > 0 && chosen < free.length}
                onChange={togglePage}
              />
            </th>
          )}
          {columns.map(({ key, label: head, sort, minor }) => {
            const order = sort !== undefined && sorting?.by === sort ? sorting.order : undefined;
            return (
              <th
                key={key}
                {...roles.columnheader}
                scope="col"
                className={minor ? css.minor : ""}
                {...(order === undefined
                  ? {}
                  : { "aria-sort": order === "ASC" ? "ascending" : "descending" })}
              >
                {sort !== undefined && sorting ? (
                  <SortButton
                    label={head}
                    order={order}
                    onClick={() => sorting.onSort(sort, order === "ASC" ? "DESC" : "ASC")}
                  />
                ) : (
                  head || <span className="unseen">{t.table.actions}</span>
                )}
              </th>
            );
          })}
          {menu && (
            <th {...roles.columnheader} className={css.menu}>
              <span className="unseen">{t.table.actions}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody {...roles.rowgroup} className={stale ? css.stale : ""}>
        {rows === undefined
          ? Array.from({ length: SKELETONS }, (_, row) => (
              <tr {...roles.row} key={row} className={css.skeleton}>
                {selection && <td {...roles.cell} className={css.check} />}
                {columns.map(({ key, minor }, column) => (
                  <td {...roles.cell} key={key} className={minor ? css.minor : ""}>
                    <Skeleton
                      height={12}
                      width={`${[62, 44, 36, 40, 50, 46][(row + column) % 6]}%`}
                    />
                  </td>
                ))}
                {menu && <td {...roles.cell} className={css.menu} />}
              </tr>
            ))
          : rows.map((row) => {
              const id = idOf(row);
              return (
                <tr
                  {...roles.row}
                  key={id}
                  data-selected={selection?.selected.has(id) || undefined}
                >
                  {selection && (
                    <td {...roles.cell} className={css.check}>
                      <Checkbox
                        aria-label={t.table.select(nameOf(row))}
                        checked={selection.selected.has(id)}
                        disabled={selection.isFixed?.(id) ?? false}
                        onChange={() => toggle(id)}
                      />
                    </td>
                  )}
                  {columns.map(({ key, label: head, heading, wide, breaks, minor, render }) => (
                    <td
                      {...roles.cell}
                      key={key}
                      data-label={head}
                      className={
                        heading
                          ? css.heading
                          : `${css.fact} ${wide ? css.wide : ""} ${breaks ? css.breaks : ""} ${minor ? css.minor : ""}`
                      }
                    >
                      {cell(render(row))}
                    </td>
                  ))}
                  {menu && (
                    <td {...roles.cell} className={css.menu}>
                      {menu(row)}
                    </td>
                  )}
                </tr>
              );
            })}
      </tbody>
    </table>
  );
};
