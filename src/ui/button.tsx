import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { cx } from '#ui/cx.ts';
import { Spinner } from '#ui/spinner.tsx';

const variants = {
  primary: 'bg-plum text-on-plum hover:bg-plum-deep',
  outline: 'border border-line bg-raised text-ink hover:border-edge',
  bare: 'text-plum hover:bg-plum-wash',
  danger: 'bg-rust text-on-rust hover:bg-rust-deep',
};

const sizes = {
  normal: 'min-h-11 px-4.5',
  large: 'min-h-13 px-6 text-17',
};

export type ButtonLook = { variant?: keyof typeof variants | undefined; size?: keyof typeof sizes | undefined };

/** The classes of a button, for whatever element must look like one. */
export function drawButton({ variant = 'primary', size = 'normal' }: ButtonLook, className?: string): string {
  return cx(
    'inline-flex select-none items-center justify-center gap-2 rounded-control py-2 text-center font-strong leading-tight no-underline',
    'transition active:scale-98 disabled:opacity-50 disabled:active:scale-100',
    variants[variant],
    variant === 'bare' && size === 'normal' ? 'min-h-11 px-2.5' : sizes[size],
    className,
  );
}

type ButtonProps = ButtonLook &
  ComponentProps<'button'> & {
    icon?: LucideIcon;
    /** The work is under way: the button keeps its words and its focus, and does nothing. */
    busy?: boolean;
    children: ReactNode;
  };

/** A thing to do, named by a verb. */
export function Button({
  variant,
  size,
  icon: Icon,
  busy = false,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      type="button"
      {...rest}
      onClick={press}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      className={drawButton({ variant, size }, className)}
    >
      {busy ? <Spinner /> : Icon && <Icon />}
      {children}
    </button>
  );
}
