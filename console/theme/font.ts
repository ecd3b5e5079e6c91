/**
 * The fonts of pages and recordings: Inter (font.css), a stand-in of its width until it is loaded,
 * and system fonts for other scripts.
 */
export const fontFamily =
  '"Inter Variable", "Inter Fallback", -apple-system, "Segoe UI", Roboto, Ubuntu, Cantarell, "Noto Sans", "Helvetica Neue", "Liberation Sans", Arial, sans-serif';
