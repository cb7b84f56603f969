import { Link } from 'react-router';
import type { Elements } from '#kit/elements.ts';
import { Card } from '#ui/layout/card.tsx';

/** One part of a whole: its name, its figure and how large it is. */
export interface Part {
  key: string;
  name: string;
  to?: string;
  /** The figure as it is read: "12 views". */
  figure: string;
  /** What its line is drawn from. */
  size: number;
  note?: string | undefined;
}

/** Parts of a whole, largest first, each with a line as long as its share of the largest. */
export function PartList({
  title,
  parts,
  beside,
  children,
}: {
  title: string;
  parts: readonly Part[];
  /** The same as a picture; it stands left of the list, on a phone above it. */
  beside?: Elements;
  children?: Elements;
}) {
  const largest = Math.max(1, ...parts.map(({ size }) => size));
  return (
    <Card>
      <h2 className="mb-3 text-21">{title}</h2>
      <div className={beside === undefined ? undefined : 'grid gap-5 md:grid-cols-[3fr_2fr]'}>
        {beside}
        <div className="min-w-0">
          <ul className="grid gap-3.5">
            {parts.map((part) => (
              <li key={part.key} className="relative grid gap-1.5">
                <span className="flex items-baseline justify-between gap-4">
                  <span className="flex min-w-0 items-baseline">
                    {part.to === undefined ? (
                      <span className="truncate">{part.name}</span>
                    ) : (
                      <Link
                        to={part.to}
                        className="truncate font-medium outline-none after:absolute after:inset-x-0 after:-inset-y-2 after:rounded-box hover:text-plum focus-visible:after:outline-2 focus-visible:after:outline-plum"
                      >
                        {part.name}
                      </Link>
                    )}
                    {part.note && <span className="truncate text-13 text-quiet">{`\u00a0· ${part.note}`}</span>}
                  </span>
                  <span className="flex-none text-13 text-quiet tabular-nums">{part.figure}</span>
                </span>
                <svg
                  viewBox="0 0 100 1"
                  preserveAspectRatio="none"
                  aria-hidden="true"
                  className="block h-1 w-full rounded-full bg-line"
                >
                  <rect width={Math.max(1, (100 * part.size) / largest)} height="1" rx="0.5" className="fill-plum" />
                </svg>
              </li>
            ))}
          </ul>
          {children}
        </div>
      </div>
    </Card>
  );
}
