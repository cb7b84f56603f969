import type { ComponentProps } from 'react';
import { Field } from '#ui/forms/field.tsx';

/** Where a PIN is typed: on a phone with the keys of digits, hidden, and kept by no browser. */
export function PinField(
  props: Omit<ComponentProps<typeof Field>, 'type' | 'inputMode' | 'autoComplete' | 'maxLength'>,
) {
  return <Field {...props} type="password" inputMode="numeric" autoComplete="off" maxLength={8} />;
}
