import { Checkbox as Base } from '@base-ui/react/checkbox';
import { Check } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { FieldNote } from '#ui/forms/field-frame.tsx';

type CheckboxProps = {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  name?: string;
  checked?: boolean;
  defaultChecked?: boolean;
  onChange?: (checked: boolean) => void;
  required?: boolean;
  disabled?: boolean;
};

/** One thing to agree to or to choose; its words are part of the target. */
export function Checkbox({ label, hint, error, onChange, ...rest }: CheckboxProps) {
  const id = useId();
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="flex min-h-11 items-start gap-3 py-2.5 has-data-disabled:text-quiet">
        <Base.Root
          {...rest}
          {...(onChange && { onCheckedChange: onChange })}
          aria-invalid={error ? true : undefined}
          id={id}
          aria-describedby={error || hint ? `${id}-note` : undefined}
          className="touch-44 mt-0.5 grid size-5.5 flex-none place-items-center rounded-box border border-edge bg-raised text-on-plum transition hover:border-ink aria-invalid:border-rust data-checked:border-plum data-checked:bg-plum data-disabled:opacity-50"
        >
          <Base.Indicator>
            <Check className="size-4 stroke-3" />
          </Base.Indicator>
        </Base.Root>
        <span className="min-w-0">{label}</span>
      </label>
      <FieldNote id={`${id}-note`} hint={hint} error={error} className="-mt-1.5 pl-8.5" />
    </div>
  );
}
