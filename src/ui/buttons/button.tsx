import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { type Press, usePress } from '#ui/buttons/use-press.ts';
import { cx } from '#ui/cx.ts';
import { Spinner } from '#ui/feedback/spinner.tsx';

const variants = {
  primary: 'bg-plum text-on-plum hover:bg-plum-deep',
  outline: 'border border-line bg-raised text-ink hover:border-edge',
  bare: 'text-plum hover:bg-plum-wash',
  danger: 'bg-rust text-on-rust hover:bg-rust-deep',
  /** What takes something away, beside what is done more often. */
  quietDanger: 'border border-line bg-raised text-rust hover:border-rust',
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
  Omit<ComponentProps<'button'>, 'onClick'> & {
    icon?: LucideIcon;
    /** The work is under way: the button keeps its words and its focus, and does nothing. */
    busy?: boolean;
    onClick?: Press | undefined;
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
  const [press, isRunning] = usePress(onClick);
  const isBusy = busy || isRunning;
  return (
    <button
      type="button"
      {...rest}
      onClick={(event) => (isBusy ? event.preventDefault() : press(event))}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      className={drawButton({ variant, size }, className)}
    >
      {isBusy ? <Spinner /> : Icon && <Icon />}
      <span>{children}</span>
    </button>
  );
}
