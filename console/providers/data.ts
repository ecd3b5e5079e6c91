import { useQuery } from "@tanstack/react-query";
import type { Provider } from "../../contract/organization/providers.ts";
import { parley } from "../kit/client.ts";

export type { Provider };

export const useProviders = () =>
  useQuery({
    queryKey: ["providers"],
    queryFn: async ({ signal }) => (await parley.listProviders({}, { signal })).providers,
  });
