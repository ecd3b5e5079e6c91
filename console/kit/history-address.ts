/** The address of a room's history, including that of its recordings. */
export const historyOfRoom = (id: string): string => `/history?roomId=${encodeURIComponent(id)}`;

/** The address of a person's history: what they did, and what was done to their account. */
export const historyOfPerson = (id: string): string =>
  `/history?personId=${encodeURIComponent(id)}`;
