/**
 * Plays, where the browser allows it. If it does not, or the source changes meanwhile, the person presses
 * the button of the player; a source that cannot be played is an event of the element.
 */
export const play = (element: { play(): Promise<void> }): void => {
  element.play().catch(() => {});
};
