import { type ComponentProps, type ReactNode, useId } from 'react';
import { cx } from '#ui/cx.ts';
import { describeControl, FieldFrame, type FrameProps, inputLook } from '#ui/forms/field-frame.tsx';

type FieldProps = FrameProps &
  Omit<ComponentProps<'input'>, 'children' | 'className'> & {
    /** Something small at the end inside the box: a unit, a button. */
    end?: ReactNode;
  };

/** One line of text with its label, hint and error. */
export function Field({ label, hint, error, className, end, id, ...rest }: FieldProps) {
  const own = useId();
  const control = describeControl(id ?? own, { hint, error });
  return (
    <FieldFrame id={control.id} label={label} hint={hint} error={error} className={className}>
      <span className="relative block">
        <input {...rest} {...control} className={cx(inputLook, 'h-12', Boolean(end) && 'pr-13')} />
        {end && <span className="absolute inset-y-0 right-0.5 grid place-items-center text-quiet">{end}</span>}
      </span>
    </FieldFrame>
  );
}
