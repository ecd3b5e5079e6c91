/**
 * The fonts of every page, and of recordings: Inter (font.css), in its place one of its width until it
 * is loaded, and the system's own for scripts that it does not have.
 */
export const fontFamily =
  '"Inter Variable", "Inter Fallback", -apple-system, "Segoe UI", Roboto, Ubuntu, Cantarell, "Noto Sans", "Helvetica Neue", "Liberation Sans", Arial, sans-serif';
