import { Button, Group, NativeSelect, Stack, Textarea } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import {
  type ImportKind,
  type ImportSummary,
  importKinds,
} from "../../contract/imports/imports.ts";
import { FILE_BYTES } from "../../contract/imports/sheets.ts";
import { templateOf } from "../../contract/imports/template.ts";
import { toCsv } from "../../contract/kit/csv.ts";
import { asLine } from "../../contract/kit/plain.ts";
import { parley, sayFailure } from "../kit/client.ts";
import { download } from "../kit/export.ts";
import { FailureNote } from "../kit/failure-note.tsx";
import { errorAt } from "../kit/form.ts";
import { useChange } from "../kit/use-change.ts";
import { useOnce } from "../kit/use-once.ts";
import { t } from "../texts/index.ts";
import { ColumnsForm, type Read } from "./columns-form.tsx";
import { FileDrop } from "./file-drop.tsx";
import css from "./imports.module.css";

const texts = t.imports;

/** Bytes as base64, in pieces: a call takes a limited number of arguments. */
const base64Of = (bytes: Uint8Array): string => {
  let text = "";
  for (let from = 0; from < bytes.length; from += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(from, from + 0x8000));
  }
  return btoa(text);
};

/** The part of a failure that is about the file. */
const sayFileFailure = (failed: unknown): string =>
  errorAt(failed, "file", texts.content) ??
  errorAt(failed, "text", texts.content) ??
  sayFailure(failed);

/** Letters that no word of the assumed encodings' languages has together. */
const STRANGE = /[\u0080-\u024f]{3}/;

/** Returns whether the columns have to be assigned. */
const isUncertain = ({ look }: Read): boolean =>
  look.missing.length > 0 ||
  !look.hasHeadings ||
  look.remembered ||
  look.sheets.length > 1 ||
  look.columns.some(
    ({ known, examples }) =>
      (!known && examples.length > 0) || examples.some((example) => STRANGE.test(example)),
  );

const saveTemplate = (kind: ImportKind): void => {
  const { columns, rows } = templateOf(kind);
  download(`${kind === "users" ? "people" : "rooms"}.csv`, toCsv(columns, rows));
};

/** Takes a file, or its pasted content, for a check; asks about uncertain columns. */
export const UploadForm = ({ onMade }: { readonly onMade: (made: ImportSummary) => void }) => {
  const [kind, setKind] = useState<ImportKind>("users");
  const [file, setFile] = useState<File>();
  const [pasted, setPasted] = useState("");
  const [read, setRead] = useState<Read>();
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const create = useChange(parley.createImport);

  const say = (failed: unknown): void => setFailure(sayFileFailure(failed));
  const check = async (
    { upload }: Pick<Read, "upload">,
    columns?: (string | null)[],
  ): Promise<void> => {
    setFailure(undefined);
    const made = await create.mutateAsync({ ...upload, ...(columns && { columns }) });
    onMade(made.import);
  };
  /** Lets the service read the file, also in another encoding or another sheet. */
  const look = async (upload: Read["upload"]): Promise<Read> => {
    const { name: _, ...input } = upload;
    return { upload, look: await parley.readImport(input) };
  };

  const send = useOnce(async () => {
    setFailure(undefined);
    if (file !== undefined && file.size > FILE_BYTES) return setFailure(texts.tooLarge);
    // The file may have been deleted or changed since it was chosen.
    const bytes = await (
      file?.arrayBuffer() ?? Promise.resolve(new TextEncoder().encode(pasted))
    ).catch(() => undefined);
    if (bytes === undefined) return setFailure(texts.unreadable);
    if (bytes.byteLength === 0) return setFailure(texts.missing);
    if (bytes.byteLength > FILE_BYTES) return setFailure(texts.tooLarge);
    const name = asLine(file?.name ?? "").slice(0, 200);
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    const upload = { kind, name, timeZone, file: base64Of(new Uint8Array(bytes)) };
    setBusy(true);
    try {
      const found = await look(upload);
      if (isUncertain(found)) setRead(found);
      else await check(found);
    } catch (failed) {
      say(failed);
    } finally {
      setBusy(false);
    }
  });

  if (read !== undefined) {
    return (
      <ColumnsForm
        read={read}
        failure={failure}
        onAgain={(more) =>
          look({ ...read.upload, ...more })
            .then(setRead)
            .catch(say)
        }
        onCheck={(columns) => check(read, columns).catch(say)}
        onBack={() => {
          setFailure(undefined);
          setRead(undefined);
        }}
      />
    );
  }
  return (
    <form
      className={`card ${css.form}`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Stack gap="md">
        <Group gap="sm" align="flex-end">
          <NativeSelect
            label={texts.kind}
            value={kind}
            data={importKinds.map((value) => ({ value, label: texts.kinds[value] }))}
            onChange={(event) => setKind(event.currentTarget.value as ImportKind)}
          />
          <Button
            variant="default"
            leftSection={<IconDownload size={16} />}
            onClick={() => saveTemplate(kind)}
          >
            {texts.template}
          </Button>
        </Group>
        <FileDrop file={file} onFile={setFile} />
        <Textarea
          label={texts.paste}
          rows={5}
          classNames={{ input: "mono" }}
          value={pasted}
          disabled={file !== undefined}
          onChange={(event) => setPasted(event.currentTarget.value)}
        />
        <FailureNote failure={failure} />
        <Button type="submit" loading={busy} className={css.send ?? ""}>
          {texts.check}
        </Button>
      </Stack>
    </form>
  );
};
