/** A web address: without the punctuation after it, and with brackets only if they are in pairs. */
const ADDRESS =
  /(https?:\/\/(?:\([^\s<>"'()]*\)|[^\s<>"'()])*(?:\([^\s<>"'()]*\)|[^\s<>"'().,;:!?\]]))/;

/**
 * A text of somebody else, with its web addresses as links. Each is read from the left, so that its host is
 * where people look for it.
 */
export const Linked = ({ text }: { readonly text: string }) => (
  <bdi>
    {text.split(ADDRESS).map((part, index) =>
      ADDRESS.test(part) ? (
        <a key={index} href={part} target="_blank" rel="noopener noreferrer" dir="ltr">
          {part}
        </a>
      ) : (
        part
      ),
    )}
  </bdi>
);
