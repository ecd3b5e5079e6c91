import { useState } from "react";
import { sayFailure } from "./client.ts";
import { notify } from "./notices.tsx";

/** Saves a file through the browser. */
export const saveFile = (name: string, file: Blob): void => {
  // The byte order mark tells spreadsheets that a table is UTF-8.
  const whole = file.type.startsWith("text/csv") ? new Blob(["\uFEFF", file], file) : file;
  const address = URL.createObjectURL(whole);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
};

/** Saves a file that the service returns; shows a notice if it cannot. */
export const useFileSave = () => {
  const [busy, setBusy] = useState(false);
  /** @returns whether the file was saved */
  const save = async (name: string, ask: () => Promise<Blob>): Promise<boolean> => {
    setBusy(true);
    try {
      saveFile(name, await ask());
      return true;
    } catch (failure) {
      notify({ text: sayFailure(failure), kind: "failed" });
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, save };
};
