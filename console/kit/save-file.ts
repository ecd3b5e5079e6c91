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
