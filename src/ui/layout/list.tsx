import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Elements } from '#kit/elements.ts';
import { cx } from '#ui/cx.ts';
import { wholeParts } from '#ui/layout/whole-parts.ts';

/** Rows on one raised sheet, parted by hairlines. */
export function List({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <ul
      aria-label={label}
      className="overflow-hidden rounded-card border border-line bg-raised contain-inline-size [&>li+li]:border-t [&>li+li]:border-line"
    >
      {children}
    </ul>
  );
}

type RowProps = {
  title: string;
  /** The address of the thing; the whole row leads there. One that begins with `?` shows it over the same page. */
  to?: string | undefined;
  /** Beside the title, or below it when both have no room: a chip, a live dot with its words. */
  mark?: Elements;
  /** The quiet line: what it is, its rule. */
  quiet?: ReactNode;
  /** The plain line: what happened to it. */
  story?: ReactNode;
  start?: Elements;
  /** At the right: a figure, a menu. */
  end?: ReactNode;
};

const whole = (line: ReactNode) => (typeof line === 'string' ? wholeParts(line) : line);

/** One thing as a row: who, what, what happened. Put it into an `<li>`, alone or inside a `SwipeRow`. */
export function Row({ title, to, mark, quiet, story, start, end }: RowProps) {
  return (
    <div className={cx('relative flex min-h-21 items-center gap-3.5 px-4 py-3.5', to && 'transition hover:bg-paper')}>
      {start}
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2">
          {to ? (
            <Link
              to={to}
              preventScrollReset={to.startsWith('?')}
              className="max-w-full truncate font-strong after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-4 focus-visible:after:outline-plum"
            >
              {title}
            </Link>
          ) : (
            <span className="max-w-full truncate font-strong">{title}</span>
          )}
          {mark}
        </p>
        {quiet && <p className="line-clamp-3 text-pretty text-13 text-quiet">{whole(quiet)}</p>}
        {story && <p className="line-clamp-3 text-pretty text-13">{whole(story)}</p>}
      </div>
      {end && <div className="relative z-1 flex flex-none items-center gap-1 font-medium tabular-nums">{end}</div>}
    </div>
  );
}
