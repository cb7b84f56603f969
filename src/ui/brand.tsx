import { cx } from '#ui/cx.ts';

/** The name as it is written. */
export function Brand({ className }: { className?: string }) {
  return (
    <span className={cx('font-display text-17 font-title tracking-tight', className)}>
      Private<span className="text-plum">Fans</span>
    </span>
  );
}
