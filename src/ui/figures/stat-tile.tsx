import type { ReactNode } from 'react';
import type { Elements } from '#kit/elements.ts';
import { cx } from '#ui/cx.ts';
import { Card } from '#ui/layout/card.tsx';

type StatTileProps = {
  label: string;
  value: ReactNode;
  /** A sentence under the figure: what it is made of, or against what. */
  note?: ReactNode;
  /** A chip at the right of the label. */
  chip?: Elements;
  /** The one figure of the screen. */
  size?: 'normal' | 'large';
};

/** One number that matters. */
export function StatTile({ label, value, note, chip, size = 'normal' }: StatTileProps) {
  return (
    <Card className={size === 'large' ? undefined : 'px-4.5 py-4'}>
      <p className="flex min-h-6.5 items-center justify-between gap-3 text-quiet">
        <span>{label}</span>
        {chip}
      </p>
      <p
        className={cx(
          'font-display font-title tabular-nums lining-nums',
          size === 'large' ? 'mt-1 text-56' : 'text-28',
        )}
      >
        {value}
      </p>
      {note && <p className="mt-0.5 text-13 text-quiet">{note}</p>}
    </Card>
  );
}
