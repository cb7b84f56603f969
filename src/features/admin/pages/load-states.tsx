import type { UseQueryResult } from '@tanstack/react-query';
import type { Elements } from '#kit/elements.ts';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';

/** What a question's answer is drawn as, and what stands in its place until it is here. */
export function Loaded<Data>({
  query,
  label,
  children,
}: {
  query: UseQueryResult<Data>;
  label: string;
  children: (data: Data) => Elements;
}) {
  const { data, isError, error, refetch, isRefetching } = query;
  if (data !== undefined) return children(data);
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} busy={isRefetching} />;
  return <SkeletonRows label={label} />;
}
