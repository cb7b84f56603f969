import { Link } from 'react-router';
import type { Elements } from '#kit/elements.ts';

/** The title of a part of a page, with the way to all of it. */
export function SectionHeader({
  title,
  more,
  children,
}: {
  title: string;
  more?: { to: string; label: string };
  children?: Elements;
}) {
  return (
    <div className="mb-1 flex min-h-11 flex-wrap items-center justify-between gap-x-3 gap-y-1.5">
      <h2 className="text-21">{title}</h2>
      {children}
      {more && (
        <Link
          to={more.to}
          className="-mr-2.5 inline-flex min-h-11 items-center rounded-control px-2.5 font-strong text-plum hover:bg-plum-wash"
        >
          {more.label}
        </Link>
      )}
    </div>
  );
}
