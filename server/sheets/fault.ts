/** A file that cannot be read as a whole. Its message is a phrase that follows "The file" or a field's name. */
export class FileFault extends Error {
  override readonly name = "FileFault";
}

/** Ends the reading of a file. @throws FileFault always */
export const refuseFile = (phrase: string): never => {
  throw new FileFault(phrase);
};
