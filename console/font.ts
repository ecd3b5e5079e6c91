/** The fonts of every page: the system's own. */
export const fontFamily =
  '-apple-system, "Segoe UI", Roboto, Ubuntu, Cantarell, "Noto Sans", "Helvetica Neue", "Liberation Sans", Arial, sans-serif';
