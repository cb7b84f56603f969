import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { cx } from '#ui/cx.ts';
import { Card } from '#ui/layout/card.tsx';
import type { Overview } from '../contract.ts';
import { busiestHour, describeOpens, hoursOfWeek, levelOf, nameHour, nameHourOfWeek, weekDays } from '../hour-texts.ts';
import { shades } from './shades.ts';

const dayHours = Array.from({ length: 24 }, (_, hour) => hour);

/**
 * When links are opened, by hours of the week. Pointer, finger and arrow keys walk over them; the same numbers stand in a table for
 * readers.
 */
export function WeekHours({ overview: { hours, timeZone } }: { overview: Overview }) {
  const busiest = busiestHour(hours);
  const [chosen, setChosen] = useState<number>();
  if (busiest === undefined) return null;
  const at = chosen ?? busiest;
  const most = hours[busiest] ?? 1;
  const follow = (event: PointerEvent<HTMLElement>) => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    const hour = Math.min(23, Math.max(0, Math.floor((24 * (event.clientX - left)) / width)));
    const day = Math.min(6, Math.max(0, Math.floor((7 * (event.clientY - top)) / height)));
    setChosen(24 * day + hour);
  };
  const turn = (event: KeyboardEvent) => {
    const step = { ArrowUp: -24, ArrowDown: 24 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    if (at + step >= 0 && at + step < hoursOfWeek) setChosen(at + step);
  };
  return (
    <Card>
      <h2 className="text-21">When they open</h2>
      <p className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 tabular-nums">
        <span className="text-quiet">{chosen === undefined ? 'Most often' : 'Opened'}</span>
        <span>
          <strong>{describeOpens(hours[at] ?? 0)}</strong>{' '}
          <span className="text-13 text-quiet">{nameHourOfWeek(at)}</span>
        </span>
      </p>
      <div className="grid grid-cols-[2.25rem_1fr] gap-x-1">
        <DayNames />
        <div className="relative h-42" onPointerMove={follow} onPointerDown={follow}>
          <Cells hours={hours} most={most} at={chosen} />
          <input
            type="range"
            aria-label="Opens by hour of the week"
            min={0}
            max={hoursOfWeek - 1}
            value={at}
            aria-valuetext={`${nameHourOfWeek(at)}: ${describeOpens(hours[at] ?? 0)}`}
            onChange={(event) => setChosen(Number(event.target.value))}
            onKeyDown={turn}
            className="peer pointer-events-none absolute inset-0 size-full opacity-0"
          />
          <span className="pointer-events-none absolute -inset-1 rounded-photo peer-focus-visible:outline-2 peer-focus-visible:outline-plum" />
        </div>
        <HourNames />
      </div>
      <div className="mt-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-13 text-quiet">
        <span>{`Your time zone, ${timeZone.replaceAll('_', ' ')}`}</span>
        <Legend most={most} />
      </div>
      <HourTable hours={hours} />
    </Card>
  );
}

function DayNames() {
  return (
    <div aria-hidden="true" className="grid grid-rows-7 text-13 text-quiet">
      {weekDays.map(({ name }) => (
        <span key={name} className="flex items-center">
          {name.slice(0, 3)}
        </span>
      ))}
    </div>
  );
}

function HourNames() {
  return (
    <div aria-hidden="true" className="col-start-2 mt-1 grid grid-cols-4 text-13 text-quiet">
      {[0, 6, 12, 18].map((hour) => (
        <span key={hour}>{nameHour(hour)}</span>
      ))}
    </div>
  );
}

function Cells({ hours, most, at }: { hours: readonly number[]; most: number; at: number | undefined }) {
  return (
    <svg viewBox="0 0 240 70" preserveAspectRatio="none" aria-hidden="true" className="block size-full">
      {hours.map((opens, n) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: an hour is its place in the week
          key={n}
          x={10 * (n % 24) + 0.5}
          y={10 * Math.floor(n / 24) + 0.5}
          width="9"
          height="9"
          rx="1.5"
          className={cx(shades[levelOf(opens, most)], n === at && 'stroke-ink')}
          vectorEffect="non-scaling-stroke"
        />
      ))}
    </svg>
  );
}

function Legend({ most }: { most: number }) {
  return (
    <span className="flex items-center gap-1.5 tabular-nums">
      <span>0</span>
      <svg viewBox="0 0 50 10" aria-hidden="true" className="h-2.5 w-12.5">
        {shades.map((shade, n) => (
          <rect key={shade} x={10 * n + 0.5} y="0.5" width="9" height="9" rx="1.5" className={shade} />
        ))}
      </svg>
      <span>{describeOpens(most)}</span>
    </span>
  );
}

/** A table is as wide as its cells: what hides it stands around it. */
function HourTable({ hours }: { hours: readonly number[] }) {
  return (
    <div className="sr-only">
      <table>
        <caption>Opens by hour of the week</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {dayHours.map((hour) => (
              <th key={hour} scope="col">
                {nameHour(hour)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weekDays.map(({ name, at }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {dayHours.map((hour) => (
                <td key={hour}>{hours[24 * at + hour] ?? 0}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
