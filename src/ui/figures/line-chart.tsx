import { type PointerEvent, useState } from 'react';
import { drawArea, drawLine, pickScale, placePoints } from '#ui/figures/chart-path.ts';

type LineChartProps = {
  /** What is counted: "Views". */
  label: string;
  /** One value a day, oldest first; `day` is ready to read: "12 Nov". Of a video it is a moment: "0:42". */
  points: readonly { day: string; value: number }[];
  /** What the values stand beside. */
  by?: 'day' | 'moment';
  formatValue?: (value: number) => string;
};

/** Values by day. Pointer, finger and arrow keys walk along the line; the same numbers stand in a table for readers. */
export function LineChart({
  label,
  points,
  by = 'day',
  formatValue = (value) => value.toLocaleString('en'),
}: LineChartProps) {
  const [chosen, setChosen] = useState<number>();
  const last = points.length - 1;
  const at = chosen === undefined || chosen > last ? last : chosen;
  const point = points[at];
  if (!point) return <p className="py-12 text-center text-quiet">No data yet</p>;
  const scale = pickScale(points.map(({ value }) => value));
  const follow = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setChosen(Math.min(last, Math.max(0, Math.round(((event.clientX - left) / width) * last))));
  };
  return (
    <figure>
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="text-quiet">{label}</span>
        <span className="tabular-nums">
          <strong>{formatValue(point.value)}</strong> <span className="text-13 text-quiet">{point.day}</span>
        </span>
      </figcaption>
      <div className="relative mt-3 h-44" onPointerMove={follow} onPointerLeave={() => setChosen(undefined)}>
        <ChartLines values={points.map(({ value }) => value)} scale={scale} at={at} />
        <span aria-hidden="true" className="absolute top-1 left-0 text-13 leading-tight text-quiet tabular-nums">
          {formatValue(scale)}
        </span>
        <input
          type="range"
          aria-label={`${label} by ${by}`}
          min={0}
          max={last}
          value={at}
          aria-valuetext={`${point.day}: ${formatValue(point.value)}`}
          onChange={(event) => setChosen(Number(event.target.value))}
          className="peer absolute inset-0 size-full cursor-crosshair touch-pan-y opacity-0"
        />
        <span className="pointer-events-none absolute -inset-1 rounded-photo peer-focus-visible:outline-2 peer-focus-visible:outline-plum" />
      </div>
      <div aria-hidden="true" className="mt-2 flex justify-between text-13 text-quiet">
        <span>{points[0]?.day}</span>
        {last > 0 && <span>{points[last]?.day}</span>}
      </div>
      <ChartTable label={label} points={points} by={by} formatValue={formatValue} />
    </figure>
  );
}

function ChartLines({ values, scale, at }: { values: readonly number[]; scale: number; at: number }) {
  const places = placePoints(values, scale);
  const mark = places[at];
  return (
    <>
      <svg
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        aria-hidden="true"
        className="absolute inset-0 size-full overflow-visible fill-none"
      >
        {[0, 50, 100].map((y) => (
          <path key={y} d={`M0 ${y}H100`} vectorEffect="non-scaling-stroke" className="stroke-line" />
        ))}
        <path d={drawArea(places)} className="fill-plum/8" />
        <path
          d={drawLine(places)}
          vectorEffect="non-scaling-stroke"
          strokeLinejoin="round"
          strokeLinecap="round"
          className="stroke-plum stroke-2"
        />
        {mark && (
          <path
            d={`M${mark.x} 0V100`}
            vectorEffect="non-scaling-stroke"
            className="stroke-edge"
            strokeDasharray="2 3"
          />
        )}
      </svg>
      {mark && (
        // No dot of the drawing: WebKit stretches the end of a line with it.
        <span
          aria-hidden="true"
          className="absolute size-3.5 -translate-1/2 rounded-full border-2 border-raised bg-plum"
          style={{ left: `${mark.x}%`, top: `${mark.y}%` }}
        />
      )}
    </>
  );
}

function ChartTable({ label, points, by, formatValue }: Required<LineChartProps>) {
  return (
    <table className="sr-only">
      <caption>{`${label} by ${by}`}</caption>
      <thead>
        <tr>
          <th scope="col">{by === 'day' ? 'Day' : 'Time'}</th>
          <th scope="col">{label}</th>
        </tr>
      </thead>
      <tbody>
        {points.map(({ day, value }) => (
          <tr key={day}>
            <th scope="row">{day}</th>
            <td>{formatValue(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
