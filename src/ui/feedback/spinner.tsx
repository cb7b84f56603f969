import { cx } from '#ui/cx.ts';

/** A turning ring; silent for screen readers, so put words beside it. */
export function Spinner({ className }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      aria-hidden="true"
      className={cx('animate-turn flex-none fill-none stroke-current stroke-2', className ?? 'size-5')}
    >
      <circle cx="12" cy="12" r="9" className="opacity-25" />
      <path d="M21 12a9 9 0 0 0-9-9" strokeLinecap="round" />
    </svg>
  );
}
