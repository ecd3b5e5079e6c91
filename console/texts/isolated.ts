/** The parts of a text; every second one was isolated. */
export const isolatedParts = (text: string): readonly string[] => text.split(/[\u2068\u2069]/);
