import { Button, Input } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { type DragEvent, useRef, useState } from "react";
import { ALL_LINES, IMPORT_LINES } from "../../contract/imports/imports.ts";
import { t } from "../texts/index.ts";
import css from "./imports.module.css";

const texts = t.imports;

interface FileDropProps {
  readonly file: File | undefined;
  readonly onFile: (file: File | undefined) => void;
}

/** A place to drop a file, with the browser's own choice of one in it. */
export const FileDrop = ({ file, onFile }: FileDropProps) => {
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const takes = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes("Files");
  const choose = (chosen: File | undefined): void => {
    if (chosen === undefined && input.current) input.current.value = "";
    onFile(chosen);
  };
  return (
    <Input.Wrapper
      label={texts.file}
      description={texts.fileHelp(IMPORT_LINES, ALL_LINES)}
      labelProps={{ htmlFor: "import-file" }}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the input in it is for keyboards */}
      <div
        className={css.drop}
        data-over={over || undefined}
        onDragOver={(event) => {
          if (!takes(event)) return;
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          if (!takes(event)) return;
          event.preventDefault();
          setOver(false);
          choose(event.dataTransfer.files[0]);
        }}
      >
        <p>{texts.drop}</p>
        <input
          id="import-file"
          ref={input}
          type="file"
          accept=".xlsx,.csv,.tsv,.json,.jsonl,.txt,text/csv,application/json"
          className={css.file}
          onChange={(event) => choose(event.currentTarget.files?.[0])}
        />
        {file !== undefined && (
          <p className={css.chosen}>
            <bdi>{file.name}</bdi>
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconX size={14} />}
              onClick={() => choose(undefined)}
            >
              {texts.removeFile}
            </Button>
          </p>
        )}
      </div>
    </Input.Wrapper>
  );
};
