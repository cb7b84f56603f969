import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { type Press, usePress } from '#ui/buttons/use-press.ts';
import { cx } from '#ui/cx.ts';

const variants = {
  bare: 'text-quiet hover:bg-plum-wash hover:text-ink',
  outline: 'border border-line bg-raised text-ink hover:border-edge',
  /** On a toast, which is drawn with paper and ink exchanged. */
  onInk: 'hover:bg-paper/14 focus-visible:outline-paper',
  primary: 'bg-plum text-on-plum hover:bg-plum-deep',
};

export type IconButtonLook = { variant?: keyof typeof variants | undefined; shape?: 'round' | 'square' | undefined };

/** The classes of a button that shows only an icon. */
export function drawIconButton({ variant = 'bare', shape = 'round' }: IconButtonLook, className?: string): string {
  return cx(
    'inline-grid flex-none place-items-center transition active:scale-96 disabled:opacity-50 aria-disabled:opacity-50',
    shape === 'round' ? 'size-11 rounded-full' : 'size-13 rounded-control',
    variants[variant],
    className,
  );
}

type IconButtonProps = IconButtonLook &
  Omit<ComponentProps<'button'>, 'children' | 'aria-label' | 'onClick'> & {
    icon: LucideIcon;
    onClick?: Press | undefined;
    /** What it does, for those who cannot see the icon; shown as its tooltip too. */
    label: string;
  };

/** A button with an icon instead of words, 44 px wide at least. */
export function IconButton({ icon: Icon, label, variant, shape, className, onClick, ...rest }: IconButtonProps) {
  const [press, isRunning] = usePress(onClick);
  return (
    <button
      type="button"
      title={label}
      {...rest}
      onClick={press}
      aria-busy={isRunning || undefined}
      aria-label={label}
      className={drawIconButton({ variant, shape }, className)}
    >
      <Icon />
    </button>
  );
}
