import { Button } from "@mantine/core";
import { IconDownload, IconX } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { type Row, toCsv } from "../../contract/kit/csv.ts";
import { t } from "../texts/index.ts";
import { sayFailure } from "./client.ts";
import { collect, download, type Piece } from "./export.ts";
import { notify } from "./notices.tsx";
import { saveFile } from "./save-file.ts";
import { dayOf, showShare } from "./show.ts";

const sayProgress = ({ done, total }: { readonly done: number; readonly total: number }): string =>
  total === 0
    ? t.actions.exportBegins
    : t.actions.exporting(showShare(Math.floor((done / total) * 100) / 100));

interface ExportButtonProps {
  /** The file name without date and extension. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly idOf: (row: Row) => unknown;
  readonly ask: (page: number, signal: AbortSignal) => Promise<Piece>;
  readonly format?: "csv" | "json";
  /** Shows only the format, if there is a button for each. */
  readonly short?: boolean;
}

/** Rows as JSON, with the same columns. */
const toJson = (columns: readonly string[], rows: readonly Row[]): string =>
  JSON.stringify(
    rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[column]]))),
    null,
    2,
  );

/** Exports every page of the shown list; a second click stops it. */
export const ExportButton = (props: ExportButtonProps) => {
  const { name, columns, idOf, ask, format = "csv", short = false } = props;
  const label = format === "csv" ? t.actions.export : t.actions.exportJson;
  const [progress, setProgress] = useState<{ readonly done: number; readonly total: number }>();
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);

  const run = async (): Promise<void> => {
    const abort = new AbortController();
    stop.current = abort;
    setProgress({ done: 0, total: 0 });
    try {
      const onProgress = (done: number, total: number) => setProgress({ done, total });
      const rows = await collect(ask, idOf, onProgress, abort.signal);
      const file = `${name}-${dayOf()}.${format}`;
      if (format === "csv") download(file, toCsv(columns, rows));
      else saveFile(file, new Blob([toJson(columns, rows)], { type: "application/json" }));
      notify({ text: t.states.exported(rows.length) });
    } catch (failure) {
      if (!abort.signal.aborted) notify({ text: sayFailure(failure), kind: "failed" });
    } finally {
      setProgress(undefined);
    }
  };

  return progress === undefined ? (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} />}
      aria-label={label}
      onClick={() => void run()}
    >
      {short ? format.toUpperCase() : label}
    </Button>
  ) : (
    <Button
      variant="default"
      leftSection={<IconX size={16} />}
      aria-label={`${sayProgress(progress)} – ${t.actions.stop}`}
      onClick={() => stop.current?.abort()}
    >
      {sayProgress(progress)}
    </Button>
  );
};
