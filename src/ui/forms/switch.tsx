import { Switch as Base } from '@base-ui/react/switch';
import { type ReactNode, useId } from 'react';

type SwitchProps = {
  label: ReactNode;
  hint?: ReactNode;
  name?: string;
  checked?: boolean;
  defaultChecked?: boolean;
  onChange?: (checked: boolean) => void;
  disabled?: boolean;
};

/** On or off, at once; words on the left, the switch on the right. */
export function Switch({ label, hint, onChange, ...rest }: SwitchProps) {
  const id = useId();
  return (
    <label htmlFor={id} className="flex min-h-11 items-center justify-between gap-4 py-1.5">
      <span className="grid min-w-0 gap-0.5">
        <span className="font-medium">{label}</span>
        {hint && (
          <span id={`${id}-note`} className="text-pretty text-13 text-quiet">
            {hint}
          </span>
        )}
      </span>
      <Base.Root
        {...rest}
        {...(onChange && { onCheckedChange: onChange })}
        id={id}
        aria-describedby={hint ? `${id}-note` : undefined}
        className="flex h-7 w-12 flex-none items-center rounded-full bg-edge p-0.5 transition data-checked:bg-plum data-disabled:opacity-50"
      >
        <Base.Thumb className="size-6 rounded-full bg-raised shadow-soft transition data-checked:translate-x-5" />
      </Base.Root>
    </label>
  );
}
