import type { Elements } from '#kit/elements.ts';
import { ErrorState } from './error-state.tsx';
import { SkeletonRows } from './skeleton.tsx';

/** A question to the server, as far as it has come. */
interface Query<Data> {
  data: Data | undefined;
  isError: boolean;
  error: Error | null;
  isRefetching: boolean;
  refetch(): unknown;
}

/** Draws the answer of a question, and what stands in its place until it is here. */
export function Loaded<Data>({
  query,
  label,
  children,
}: {
  query: Query<Data>;
  label: string;
  children: (data: Data) => Elements;
}) {
  const { data, isError, error, refetch, isRefetching } = query;
  if (data !== undefined) return children(data);
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} busy={isRefetching} />;
  return <SkeletonRows label={label} />;
}
