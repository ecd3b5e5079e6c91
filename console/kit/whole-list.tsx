import type { ComponentProps, ReactNode } from "react";
import { DataTable } from "./data-table.tsx";
import { Failed } from "./states.tsx";

type Table<Row> = ComponentProps<typeof DataTable<Row, string>>;

interface WholeListProps<Row> extends Pick<Table<Row>, "label" | "columns" | "idOf" | "nameOf"> {
  /** The query that loads all of it at once. */
  readonly list: {
    readonly data: readonly Row[] | undefined;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
  /** The text of an empty list. */
  readonly blank: ReactNode;
}

/** A list without pages, in a card: its rows, that there are none yet, or why it could not be loaded. */
export const WholeList = <Row,>({
  list: { data, error, refetch },
  blank,
  ...table
}: WholeListProps<Row>) => (
  <div className="card">
    {error && !data ? (
      <Failed failure={error} retry={() => void refetch()} />
    ) : data?.length === 0 ? (
      blank
    ) : (
      <DataTable {...table} rows={data} />
    )}
  </div>
);
