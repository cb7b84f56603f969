import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Has what is shown read anew. What is on its way for the first time may have been read before the change: the library alone would
 * wait for that and take it for new.
 */
export async function refreshQueries(queries: QueryClient, keys: readonly QueryKey[]): Promise<void> {
  await Promise.all(
    keys.map(async (queryKey) => {
      await queries.cancelQueries({ queryKey, predicate: ({ state }) => state.data === undefined });
      await queries.invalidateQueries({ queryKey });
    }),
  );
}

/** Shows what a change was answered with, and reads it anew: what was asked for before the change is not shown over it. */
export async function showAnswer(queries: QueryClient, queryKey: QueryKey, data: unknown): Promise<void> {
  queries.setQueryData(queryKey, data);
  await queries.invalidateQueries({ queryKey, exact: true });
}
