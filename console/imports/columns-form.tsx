import { Alert, Button, Checkbox, Group, NativeSelect, Stack } from "@mantine/core";
import { useState } from "react";
import { importFields } from "../../contract/imports/fields.ts";
import type { ImportKind, readImport } from "../../contract/imports/imports.ts";
import {
  type FileEncoding,
  fileEncodings,
  type SheetColumn,
} from "../../contract/imports/sheets.ts";
import type { Input, Reply } from "../../contract/kit/operation.ts";
import { DataTable } from "../kit/data-table.tsx";
import { FailureNote } from "../kit/failure-note.tsx";
import { useOnce } from "../kit/use-once.ts";
import { t } from "../texts/index.ts";
import css from "./imports.module.css";
import { WasRead } from "./was-read.tsx";

/** A file as it is sent, and how the service reads it. */
export interface Read {
  readonly upload: Input<typeof readImport> & { readonly name: string };
  readonly look: Reply<typeof readImport>;
}

const texts = t.imports;

/** The targets of a column besides fields. */
const parts: Readonly<Record<ImportKind, readonly (keyof typeof texts.parts)[]>> = {
  users: ["firstName", "lastName", "emailAndName", "enabled", "status"],
  rooms: ["moreOwners"],
};

/** The labels of the fields, as elsewhere in the console. */
const labels: Readonly<Record<ImportKind, Readonly<Record<string, string | undefined>>>> = {
  users: { ...t.people.labels, ...texts.fields },
  rooms: t.rooms.labels,
};

const choicesOf = (kind: ImportKind) => {
  const fields = [...importFields[kind].keys()].flatMap((value) => {
    const label = labels[kind][value];
    return label === undefined ? [] : [{ value, label }];
  });
  const more = parts[kind].map((value) => ({ value, label: texts.parts[value] }));
  return [{ value: "", label: texts.skip }, ...fields, ...more];
};

interface ColumnsFormProps {
  readonly read: Read;
  readonly failure: string | undefined;
  /**
   * Reads the file again: in another encoding, another sheet, or with its first line as an entry.
   */
  readonly onAgain: (more: {
    readonly encoding?: FileEncoding;
    readonly sheet?: string;
    readonly headless?: boolean;
  }) => Promise<unknown>;
  readonly onCheck: (columns: (string | null)[]) => Promise<unknown>;
  readonly onBack: () => void;
}

/** Asks what a file's columns are, if Parley does not know them all. */
export const ColumnsForm = ({ read, failure, onAgain, onCheck, onBack }: ColumnsFormProps) => {
  const { kind, headless = false } = read.upload;
  const { columns, sheets, read: facts, remembered } = read.look;
  const [changed, setChanged] = useState<Readonly<Record<number, string | null>>>({});
  const [busy, setBusy] = useState(false);
  const fieldAt = (at: number): string | null =>
    at in changed ? (changed[at] ?? null) : (columns[at]?.field ?? null);
  const shown = columns
    .map((column, at) => ({ ...column, at }))
    .filter(({ examples, field }) => examples.length > 0 || field !== null);
  const choices = choicesOf(kind);
  // If a column fills something without a label, its name replaces it.
  const optionsFor = (field: string | null) =>
    field === null || choices.some(({ value }) => value === field)
      ? choices
      : [...choices, { value: field, label: field }];
  const nameOf = ({ heading, at }: SheetColumn & { readonly at: number }): string =>
    heading || texts.unnamedColumn(at + 1);
  const needs = kind === "users" ? ["email", "emailAndName", "id"] : ["name", "room"];
  const isMissing = !columns.some((_, at) => needs.includes(fieldAt(at) ?? ""));

  const run = (work: () => Promise<unknown>) => async (): Promise<void> => {
    setBusy(true);
    await work().finally(() => setBusy(false));
  };
  const check = useOnce(run(() => onCheck(columns.map((_, at) => fieldAt(at)))));
  const again = (more: Parameters<typeof onAgain>[0]): void => {
    setChanged({});
    void run(() => onAgain(more))();
  };

  return (
    <form
      className="card"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void check();
      }}
    >
      <Stack gap="md" className={css.head ?? ""}>
        <h2 className={css.recent}>{texts.columnsTitle}</h2>
        <p>{remembered ? texts.columnsRemembered : texts.columnsHelp}</p>
        <WasRead facts={facts} />
        <Group gap="sm">
          {sheets.length > 1 && (
            <NativeSelect
              label={texts.sheet}
              value={facts.sheet ?? ""}
              data={sheets}
              disabled={busy}
              onChange={(event) => again({ sheet: event.currentTarget.value })}
            />
          )}
          {facts.encoding !== null && (
            <NativeSelect
              label={texts.encoding}
              description={texts.encodingHelp}
              value={facts.encoding}
              data={fileEncodings.map((value) => ({ value, label: texts.encodings[value] }))}
              disabled={busy}
              onChange={(event) => again({ encoding: event.currentTarget.value as FileEncoding })}
            />
          )}
        </Group>
        {facts.format !== "json" && (
          <Checkbox
            label={texts.headless}
            checked={headless || !read.look.hasHeadings}
            disabled={busy || (!headless && !read.look.hasHeadings)}
            onChange={(event) => again({ headless: event.currentTarget.checked })}
          />
        )}
        {isMissing && (
          <Alert color="yellow" variant="light" role="status">
            {kind === "users" ? texts.needsEmail : texts.needsName}
          </Alert>
        )}
      </Stack>
      <DataTable
        label={texts.columnsTitle}
        columns={[
          { key: "heading", label: texts.column, heading: true, render: nameOf },
          {
            key: "examples",
            label: texts.examples,
            wide: true,
            render: ({ examples }) => (
              <ul className={css.examples}>
                {examples.map((example) => (
                  <li key={example}>
                    <bdi>{example}</bdi>
                  </li>
                ))}
              </ul>
            ),
          },
          {
            key: "field",
            label: texts.fills,
            render: (column) => (
              <NativeSelect
                aria-label={texts.fillsOf(nameOf(column))}
                value={fieldAt(column.at) ?? ""}
                data={optionsFor(fieldAt(column.at))}
                onChange={({ currentTarget: { value } }) =>
                  setChanged((before) => ({ ...before, [column.at]: value || null }))
                }
              />
            ),
          },
        ]}
        rows={shown}
        idOf={({ at }) => String(at)}
        nameOf={nameOf}
      />
      <div className={css.head}>
        <FailureNote failure={failure} />
        <Group gap="sm">
          <Button type="submit" loading={busy} disabled={isMissing}>
            {texts.checkColumns}
          </Button>
          <Button variant="default" onClick={onBack}>
            {texts.back}
          </Button>
        </Group>
      </div>
    </form>
  );
};
