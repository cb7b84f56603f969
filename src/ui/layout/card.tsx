import type { ComponentProps } from 'react';
import { cx } from '#ui/cx.ts';

const tones = {
  plain: 'border-line bg-raised',
  ember: 'border-ember/40 bg-raised',
  rust: 'border-rust/40 bg-rust-wash',
  sunk: 'border-line bg-paper',
};

type CardProps = ComponentProps<'section'> & { tone?: keyof typeof tones };

/** A raised sheet of paper with a hairline; `ember` for the one thing that happens now, `rust` for a warning. */
export function Card({ tone = 'plain', className, ...rest }: CardProps) {
  return <section {...rest} className={cx('rounded-card border p-5', tones[tone], className)} />;
}
