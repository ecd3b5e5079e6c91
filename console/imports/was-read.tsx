import type { ReadFacts } from "../../contract/imports/sheets.ts";
import { showRow } from "../kit/show.ts";
import { t } from "../texts/index.ts";

const texts = t.imports;

/** How a file was read: its type, encoding and product, and the skipped lines. */
export const WasRead = ({ facts }: { readonly facts: ReadFacts }) => {
  const { format, encoding, delimiter, sheet, product, skipped } = facts;
  const what = [
    texts.formats[format],
    encoding === null ? undefined : texts.encodings[encoding],
    delimiter === null
      ? undefined
      : delimiter === "\t"
        ? texts.separatedByTabs
        : texts.separatedBy(delimiter),
    product === null ? undefined : texts.from(texts.products[product]),
  ].filter((part) => part !== undefined);
  return (
    <div className="small">
      <p>
        {texts.wasRead(showRow(what))}
        {sheet !== null && (
          <>
            {" "}
            {texts.sheet}: <bdi>{sheet}</bdi>.
          </>
        )}
      </p>
      {skipped.length > 0 && (
        <p>
          {texts.passedOver(
            showRow(skipped.map(({ line, why }) => texts.passedLine(line, texts.skipped[why]))),
          )}
        </p>
      )}
    </div>
  );
};
