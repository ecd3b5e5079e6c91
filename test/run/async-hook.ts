// node:test follows every promise by a hook, to find the test to which a call of `test` or an uncaught error belongs.
// That takes a quarter of the processor time of an average file, although only its registration needs the hook: a
// file's tests therefore run without it. An uncaught error in them fails the file, instead of the test alone.
import asyncHooks, { type AsyncHook } from "node:async_hooks";

const { createHook } = asyncHooks;
const hooks: AsyncHook[] = [];

// node:test takes the function from here when it is loaded, so this module must be loaded before.
asyncHooks.createHook = (callbacks) => {
  const hook = createHook(callbacks);
  hooks.push(hook);
  return hook;
};

/** From here on, tests can be registered: while a file is imported, not later. */
export const follow = (): void => {
  for (const hook of hooks) hook.enable();
};

/** From here on, tests run. */
export const unfollow = (): void => {
  for (const hook of hooks) hook.disable();
};
