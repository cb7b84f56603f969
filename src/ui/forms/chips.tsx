import { useId } from 'react';
import { cx } from '#ui/cx.ts';

type ChipsProps<Value extends string> = {
  /** What is chosen here, for those who do not see the row. */
  label: string;
  options: readonly { value: Value; label: string; count?: number | undefined }[];
  value: Value | undefined;
  onChange: (value: Value) => void;
};

/** A row of filters or presets, of which one is on; it runs out of the screen rather than wrap, and fades where there is more. */
export function Chips<Value extends string>({ label, options, value, onChange }: ChipsProps<Value>) {
  const name = useId();
  return (
    <fieldset className="scroll-quiet scroll-fade-sideways -mx-5 -my-1 flex min-w-0 gap-1.5 overflow-x-auto contain-inline-size px-5 py-1 md:gap-2">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className={cx(
            'touch-44 flex h-9 flex-none items-center gap-1.5 rounded-full border px-3 text-13 font-medium transition md:px-3.5',
            option.value === value
              ? 'border-plum-wash bg-plum-wash text-plum'
              : 'border-line text-quiet hover:border-edge hover:text-ink',
          )}
        >
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="peer absolute inset-0 z-1 cursor-pointer opacity-0"
          />
          <span className="pointer-events-none absolute -inset-px rounded-full outline-plum peer-focus-visible:outline-2 peer-focus-visible:outline-offset-1" />
          <span>{option.label}</span>
          {option.count !== undefined && <span className="tabular-nums">{option.count.toLocaleString('en')}</span>}
        </label>
      ))}
    </fieldset>
  );
}
