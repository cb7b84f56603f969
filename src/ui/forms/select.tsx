import { Select as Base } from '@base-ui/react/select';
import { Check, ChevronsUpDown } from 'lucide-react';
import { useId } from 'react';
import { cx } from '#ui/cx.ts';
import { optionLook, popupLook } from '#ui/dialogs/popup-look.ts';
import { describeControl, FieldNote, type FrameProps, inputLook } from '#ui/forms/field-frame.tsx';

export type Option<Value extends string> = { value: Value; label: string; hint?: string };

type SelectProps<Value extends string> = FrameProps & {
  options: readonly Option<Value>[];
  value: Value | undefined;
  onChange: (value: Value) => void;
  placeholder?: string;
  name?: string;
  disabled?: boolean;
};

/** One of a few; for two or three that fit on a line take `Segmented`. */
export function Select<Value extends string>({
  label,
  hint,
  error,
  className,
  options,
  value,
  onChange,
  placeholder,
  ...rest
}: SelectProps<Value>) {
  const id = useId();
  const { id: controlId, ...described } = describeControl(id, { hint, error });
  return (
    <Base.Root
      {...rest}
      items={options}
      value={value ?? null}
      onValueChange={(chosen) => chosen !== null && onChange(chosen)}
    >
      <div className={cx('grid content-start gap-1.5', className)}>
        <Base.Label className="font-medium">{label}</Base.Label>
        <Base.Trigger
          id={controlId}
          {...described}
          className={cx(
            inputLook,
            'flex h-12 items-center justify-between gap-3 text-left data-placeholder:text-quiet',
          )}
        >
          <Base.Value placeholder={placeholder} className="truncate" />
          <ChevronsUpDown className="size-4 text-quiet" aria-hidden="true" />
        </Base.Trigger>
        <FieldNote id={`${id}-note`} hint={hint} error={error} />
      </div>
      <Base.Portal>
        <Base.Positioner sideOffset={6} alignItemWithTrigger={false} className="z-40 outline-none">
          <Base.Popup className={cx(popupLook, 'max-h-(--available-height) min-w-(--anchor-width) overflow-y-auto')}>
            <Base.List>
              {options.map((option) => (
                <Base.Item key={option.value} value={option.value} className={cx(optionLook, 'justify-between')}>
                  <span className="grid">
                    <Base.ItemText>{option.label}</Base.ItemText>
                    {option.hint && <span className="text-13 text-quiet">{option.hint}</span>}
                  </span>
                  <Base.ItemIndicator>
                    <Check className="text-plum" />
                  </Base.ItemIndicator>
                </Base.Item>
              ))}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
