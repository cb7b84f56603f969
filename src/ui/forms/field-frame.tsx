import type { ReactNode } from 'react';
import type { Elements } from '#kit/elements.ts';
import { cx } from '#ui/cx.ts';

/** What every form control has around it. */
export type FrameProps = {
  label: string;
  hint?: ReactNode;
  /** What is wrong and what to do; shown in place of the hint and read out when it appears. */
  error?: string | undefined;
  className?: string | undefined;
};

/** The ids that tie a control to its words. */
export function describeControl(id: string, { hint, error }: Pick<FrameProps, 'hint' | 'error'>) {
  return {
    id,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': error || hint ? `${id}-note` : undefined,
  };
}

/** The classes of a box that is written into. */
export const inputLook = cx(
  'w-full rounded-control border border-edge bg-raised px-3.5 text-17 text-ink placeholder:text-quiet md:text-15',
  'transition hover:border-ink focus-visible:border-plum focus-visible:outline-offset-0',
  'aria-invalid:border-rust disabled:border-line disabled:text-quiet',
);

/** Label above, control, then the hint or the error under it. */
export function FieldFrame({
  id,
  label,
  hint,
  error,
  className,
  children,
}: FrameProps & { id: string; children: Elements }) {
  return (
    <div className={cx('grid content-start gap-1.5', className)}>
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children}
      <FieldNote id={`${id}-note`} hint={hint} error={error} />
    </div>
  );
}

type FieldNoteProps = { id: string; hint?: ReactNode; error?: string | undefined; className?: string };

/** The line under a control. Its place in the page stays, so that a reader hears the error when it comes. */
export function FieldNote({ id, hint, error, className }: FieldNoteProps) {
  return (
    <p
      id={id}
      aria-live="polite"
      className={cx('text-13 empty:hidden', error ? 'font-medium text-rust' : 'text-quiet', className)}
    >
      {error || hint}
    </p>
  );
}
