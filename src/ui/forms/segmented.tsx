import { useId } from 'react';
import { cx } from '#ui/cx.ts';
import type { Option } from '#ui/forms/select.tsx';

type SegmentedProps<Value extends string> = {
  /** What is chosen here, for those who do not see the row. */
  label: string;
  options: readonly Option<Value>[];
  value: Value;
  onChange: (value: Value) => void;
};

/** Two or three ways, of which one is on; arrow keys move. */
export function Segmented<Value extends string>({ label, options, value, onChange }: SegmentedProps<Value>) {
  const name = useId();
  return (
    <fieldset className="inline-grid auto-cols-fr grid-flow-col rounded-control border border-line bg-paper p-1">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className={cx(
            'relative grid min-h-11 place-items-center rounded-box border px-2 text-center font-medium transition sm:px-4',
            option.value === value ? 'border-line bg-raised text-ink' : 'border-transparent text-quiet hover:text-ink',
          )}
        >
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="peer absolute inset-0 cursor-pointer opacity-0"
          />
          <span className="pointer-events-none absolute -inset-px rounded-box outline-plum peer-focus-visible:outline-2" />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
