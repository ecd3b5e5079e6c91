/** The fonts of every page: those that the system has. */
export const fontFamily =
  '-apple-system, "Segoe UI", Roboto, Ubuntu, Cantarell, "Noto Sans", "Helvetica Neue", "Liberation Sans", Arial, sans-serif';
