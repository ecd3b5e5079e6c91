/** Where the history of a room stands, with that of its recordings. */
export const historyOfRoom = (id: string): string => `/history?roomId=${encodeURIComponent(id)}`;

/** Where the history of a person stands: what they did, and what was done to their account. */
export const historyOfPerson = (id: string): string =>
  `/history?personId=${encodeURIComponent(id)}`;
