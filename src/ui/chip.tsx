import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '#ui/cx.ts';

const tones = {
  plum: 'bg-plum-wash text-plum',
  moss: 'bg-moss-wash text-moss',
  rust: 'bg-rust-wash text-rust',
  ember: 'bg-ember-wash text-ember-ink',
  plain: 'border border-line text-quiet',
};

/** A word about a state: moss for active and paid, rust for revoked, ember for money and now, plain for what is over. */
export function Chip({
  tone = 'plum',
  icon: Icon,
  children,
}: {
  tone?: keyof typeof tones;
  icon?: LucideIcon;
  children: ReactNode;
}) {
  return (
    <span
      className={cx(
        'inline-flex h-6.5 flex-none items-center gap-1.5 rounded-full px-2.5 text-13 font-medium tabular-nums whitespace-nowrap',
        tones[tone],
      )}
    >
      {Icon && <Icon />}
      <span>{children}</span>
    </span>
  );
}
