import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";

/**
 * A change to the organization: afterwards everything on the page is loaded again, because a room or a person
 * appears in several places.
 *
 * @param isGone tells which queries are about something that the change removed, and must not be loaded again
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
