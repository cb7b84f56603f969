import { type PointerEvent, useState } from 'react';
import { cx } from '#ui/cx.ts';
import { stackBars } from '#ui/figures/chart-path.ts';

const tones = {
  plum: { fill: 'fill-plum', dot: 'bg-plum' },
  ember: { fill: 'fill-ember', dot: 'bg-ember' },
  rust: { fill: 'fill-rust', dot: 'bg-rust' },
  moss: { fill: 'fill-moss', dot: 'bg-moss' },
  quiet: { fill: 'fill-quiet', dot: 'bg-quiet' },
};

type Kind = { label: string; tone: keyof typeof tones };

type StackedChartProps = {
  /** What is shown: "Earned". */
  label: string;
  by: 'day' | 'month';
  /** What each bar is made of, from the bottom up. */
  kinds: readonly Kind[];
  /** Oldest first; one value for each kind, below zero where something went away. `day` is ready to read. */
  points: readonly { day: string; values: readonly number[] }[];
  formatValue: (value: number) => string;
};

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** What a sum is made of, bar by bar. Pointer, finger and arrow keys walk along; the same numbers stand in a table for readers. */
export function StackedChart({ label, by, kinds, points, formatValue }: StackedChartProps) {
  const [chosen, setChosen] = useState<number>();
  const last = points.length - 1;
  const at = chosen === undefined || chosen > last ? last : chosen;
  const point = points[at];
  if (!point) return <p className="py-12 text-center text-quiet">No data yet</p>;
  const { parts, zero, scale } = stackBars(points.map(({ values }) => values));
  const follow = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setChosen(Math.min(last, Math.max(0, Math.floor(((event.clientX - left) / width) * points.length))));
  };
  return (
    <figure>
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="text-quiet">{label}</span>
        <span className="tabular-nums">
          <strong>{formatValue(sumOf(point.values))}</strong> <span className="text-13 text-quiet">{point.day}</span>
        </span>
      </figcaption>
      <Legend kinds={kinds} values={point.values} formatValue={formatValue} />
      <div className="relative mt-3 h-44" onPointerMove={follow} onPointerLeave={() => setChosen(undefined)}>
        <Bars kinds={kinds} count={points.length} at={at} parts={parts} zero={zero} />
        {points.some(({ values }) => values.some((value) => value > 0)) && (
          <span aria-hidden="true" className="absolute top-1 left-0 text-13 leading-tight text-quiet tabular-nums">
            {formatValue(scale)}
          </span>
        )}
        <input
          type="range"
          aria-label={`${label} by ${by}`}
          min={0}
          max={last}
          value={at}
          aria-valuetext={`${point.day}: ${formatValue(sumOf(point.values))}`}
          onChange={(event) => setChosen(Number(event.target.value))}
          className="peer absolute inset-0 size-full cursor-crosshair touch-pan-y opacity-0"
        />
        <span className="pointer-events-none absolute -inset-1 rounded-photo peer-focus-visible:outline-2 peer-focus-visible:outline-plum" />
      </div>
      <div aria-hidden="true" className="mt-2 flex justify-between text-13 text-quiet">
        <span>{points[0]?.day}</span>
        {last > 0 && <span>{points[last]?.day}</span>}
      </div>
      <StackedTable label={label} by={by} kinds={kinds} points={points} formatValue={formatValue} />
    </figure>
  );
}

/** The bars as they are drawn, a unit wide each; one of them is chosen. */
function Bars({
  kinds,
  count,
  at,
  parts,
  zero,
}: Pick<StackedChartProps, 'kinds'> & Omit<ReturnType<typeof stackBars>, 'scale'> & { count: number; at: number }) {
  return (
    <svg
      viewBox={`0 0 ${count} 100`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className="absolute inset-0 size-full"
    >
      <rect x={at} y={0} width={1} height={100} className="fill-ink/5" />
      <path d={`M0 0H${count}`} vectorEffect="non-scaling-stroke" className="stroke-line" />
      {kinds.map(({ label: name, tone }, kind) =>
        (parts[kind] ?? []).map((part) => (
          <rect
            key={`${name} ${part.at}`}
            x={part.at + 0.14}
            y={part.y}
            width={0.72}
            height={part.height}
            className={tones[tone].fill}
          />
        )),
      )}
      <path d={`M0 ${zero}H${count}`} vectorEffect="non-scaling-stroke" className="stroke-edge" />
    </svg>
  );
}

function Legend({
  kinds,
  values,
  formatValue,
}: Pick<StackedChartProps, 'kinds' | 'formatValue'> & { values: readonly number[] }) {
  return (
    <ul aria-hidden="true" className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-13 text-quiet tabular-nums">
      {kinds.map(({ label, tone }, at) => (
        <li key={label} className="flex items-center gap-1.5">
          <span className={cx('size-2 rounded-full', tones[tone].dot)} />
          <span>{`${label} ${formatValue(values[at] ?? 0)}`}</span>
        </li>
      ))}
    </ul>
  );
}

function StackedTable({ label, by, kinds, points, formatValue }: StackedChartProps) {
  return (
    // A table is as wide as what stands in it, whatever width it is given.
    <div className="sr-only">
      <table>
        <caption>{`${label} by ${by}`}</caption>
        <thead>
          <tr>
            <th scope="col">{by === 'day' ? 'Day' : 'Month'}</th>
            {kinds.map((kind) => (
              <th key={kind.label} scope="col">
                {kind.label}
              </th>
            ))}
            <th scope="col">Together</th>
          </tr>
        </thead>
        <tbody>
          {points.map(({ day, values }) => (
            <tr key={day}>
              <th scope="row">{day}</th>
              {kinds.map((kind, at) => (
                <td key={kind.label}>{formatValue(values[at] ?? 0)}</td>
              ))}
              <td>{formatValue(sumOf(values))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
