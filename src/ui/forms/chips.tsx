import { useId } from 'react';

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
          className="touch-44 flex h-9 flex-none items-center gap-1.5 rounded-full border border-line px-3 text-13 font-medium text-quiet transition hover:border-edge hover:text-ink has-checked:border-plum-wash has-checked:bg-plum-wash has-checked:text-plum md:px-3.5 has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-plum"
        >
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 z-1 cursor-pointer opacity-0"
          />
          <span>{option.label}</span>
          {option.count !== undefined && <span className="tabular-nums">{option.count.toLocaleString('en')}</span>}
        </label>
      ))}
    </fieldset>
  );
}
