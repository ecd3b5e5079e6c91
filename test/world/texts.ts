import { setTexts } from "../../console/texts/index.ts";
import { isolated } from "../../contract/kit/plain.ts";
import { messagesOf } from "../../languages/compile.ts";

/*
 * Sets the English texts, as the first script of a page does; for tests of the console's modules: import it
 * before them.
 */

const of = <Name extends Parameters<typeof messagesOf>[1]>(name: Name) =>
  messagesOf("en", name, isolated);

setTexts("en", {
  ...of("common"),
  ...of("rooms"),
  ...of("people"),
  ...of("organization"),
  ...of("recordings"),
  errors: of("errors"),
});
