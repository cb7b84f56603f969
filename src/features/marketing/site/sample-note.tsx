import { cx } from '#ui/cx.ts';
import { sampleNote } from '../claims/claims.ts';

/** Says that nobody vouches for what stands beside it. */
export function SampleNote({ className }: { className?: string }) {
  return (
    <p
      className={cx(
        'inline-flex min-h-6 items-center rounded-full border border-dashed border-edge px-2.5 text-13 text-quiet',
        className,
      )}
    >
      {sampleNote}
    </p>
  );
}
