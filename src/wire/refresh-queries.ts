import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** Has what is shown under any of these keys read again. */
export async function refreshQueries(queries: QueryClient, keys: readonly QueryKey[]): Promise<void> {
  await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
}

/** Shows what a change was answered with, and reads it again: what was asked for before the change is not shown over it. */
export async function showAnswer(queries: QueryClient, queryKey: QueryKey, data: unknown): Promise<void> {
  queries.setQueryData(queryKey, data);
  await queries.invalidateQueries({ queryKey, exact: true });
}
