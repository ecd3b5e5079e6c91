import { Alert, Button, Input, NativeSelect, Stack, Textarea } from "@mantine/core";
import { useState } from "react";
import {
  ALL_LINES,
  IMPORT_LINES,
  type ImportForm,
  type ImportKind,
  type ImportSummary,
  importForms,
  importKinds,
} from "../../contract/imports.ts";
import { asLine } from "../../contract/plain.ts";
import { parley, sayFailure } from "../data/client.ts";
import { errorAt } from "../data/form.ts";
import { useChange } from "../data/use-change.ts";
import { useOnce } from "../data/use-once.ts";
import css from "../styles/imports.module.css";
import { t } from "../texts/index.ts";

const texts = t.imports;
const MOST = 1_000_000;

/** Takes a file, or its pasted content, for a check. */
export const UploadForm = ({ onMade }: { readonly onMade: (made: ImportSummary) => void }) => {
  const [kind, setKind] = useState<ImportKind>("users");
  const [form, setForm] = useState<ImportForm>("parley");
  const [file, setFile] = useState<File>();
  const [pasted, setPasted] = useState("");
  const create = useChange(parley.createImport);
  const [failure, setFailure] = useState<string>();

  const send = useOnce(async () => {
    setFailure(undefined);
    if (file !== undefined && file.size > MOST) return setFailure(texts.tooLarge);
    // The file may have been deleted or changed since it was chosen.
    const text = await (file?.text() ?? Promise.resolve(pasted)).catch(() => undefined);
    if (text === undefined) return setFailure(texts.unreadable);
    if (text.trim() === "") return setFailure(texts.missing);
    const format = /^\s*\[/.test(text) ? "json" : "csv";
    const name = asLine(file?.name ?? "").slice(0, 200);
    await create
      .mutateAsync({ kind, form, format, name, text })
      .then((made) => onMade(made.import))
      .catch((failed: unknown) =>
        setFailure(errorAt(failed, "text", texts.content) ?? sayFailure(failed)),
      );
  });

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
        <NativeSelect
          label={texts.kind}
          value={kind}
          data={importKinds.map((value) => ({ value, label: texts.kinds[value] }))}
          onChange={(event) => setKind(event.currentTarget.value as ImportKind)}
        />
        <NativeSelect
          label={texts.form}
          value={form}
          data={importForms.map((value) => ({ value, label: texts.forms[value] }))}
          onChange={(event) => setForm(event.currentTarget.value as ImportForm)}
        />
        <Input.Wrapper
          label={texts.file}
          description={texts.fileHelp(IMPORT_LINES, ALL_LINES)}
          labelProps={{ htmlFor: "import-file" }}
        >
          <input
            id="import-file"
            type="file"
            accept=".csv,.json,.txt,text/csv,application/json"
            className={css.file}
            onChange={(event) => setFile(event.currentTarget.files?.[0])}
          />
        </Input.Wrapper>
        <Textarea
          label={texts.paste}
          rows={6}
          classNames={{ input: "mono" }}
          value={pasted}
          disabled={file !== undefined}
          onChange={(event) => setPasted(event.currentTarget.value)}
        />
        {failure !== undefined && (
          <Alert color="red" variant="light" role="alert">
            {failure}
          </Alert>
        )}
        <Button type="submit" loading={create.isPending} className={css.send ?? ""}>
          {texts.check}
        </Button>
      </Stack>
    </form>
  );
};
