import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";

/**
 * A change to the organization. It reloads everything on the page, because a room or a person
 * appears in several places.
 *
 * @param isGone tells which queries are about something that the change removed, and must not be
 * reloaded
 */
export const useChange = <Input, Reply>(
  run: (input: Input) => Promise<Reply>,
  isGone: (key: QueryKey) => boolean = () => false,
) => {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: run,
    onSettled: (_, failure) =>
      void queries.invalidateQueries({
        predicate: ({ queryKey }) => failure !== null || !isGone(queryKey),
      }),
  });
};
