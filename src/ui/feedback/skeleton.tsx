import { cx } from '#ui/cx.ts';

/** The place of something that is loading; give it the size of what will come. */
export function Skeleton({ className = 'h-5 w-40' }: { className?: string }) {
  return <span aria-hidden="true" className={cx('block animate-shimmer rounded-control bg-line', className)} />;
}

/** Rows of a list that is loading. */
export function SkeletonRows({ rows = 3, label = 'Loading' }: { rows?: number; label?: string }) {
  return (
    <div role="status" aria-label={label} className="overflow-hidden rounded-card border border-line bg-raised">
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <div key={row} className="flex min-h-21 items-center gap-3.5 border-line px-4 not-first:border-t">
          <Skeleton className="size-10 rounded-full" />
          <div className="grid flex-1 gap-2">
            <Skeleton className="h-4 w-32" />
            <Skeleton className="h-3.5 w-56 max-w-full" />
          </div>
        </div>
      ))}
    </div>
  );
}
