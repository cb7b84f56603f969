import { type ComponentProps, useId } from 'react';
import { cx } from '#ui/cx.ts';
import { describeControl, FieldFrame, type FrameProps, inputLook } from '#ui/forms/field-frame.tsx';

/** Several lines of text; the box grows with what is written. */
export function Textarea({
  label,
  hint,
  error,
  className,
  id,
  ...rest
}: FrameProps & Omit<ComponentProps<'textarea'>, 'className'>) {
  const own = useId();
  const control = describeControl(id ?? own, { hint, error });
  return (
    <FieldFrame id={control.id} label={label} hint={hint} error={error} className={className}>
      <textarea rows={3} {...rest} {...control} className={cx(inputLook, 'field-sizing-content min-h-24 py-2.5')} />
    </FieldFrame>
  );
}
