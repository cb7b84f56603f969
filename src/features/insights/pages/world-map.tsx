import { type PointerEvent, useState } from 'react';
import { cx } from '#ui/cx.ts';
import type { Overview } from '../contract.ts';
import { levelOf } from '../hour-texts.ts';
import { nameKnownCountry } from '../insight-texts.ts';
import { describeBesideMap, describeCountry } from '../place-texts.ts';
import { shades } from './shades.ts';
import drawn from './world-map.json' with { type: 'json' };

const paths = Object.entries(drawn);

/**
 * Countries, darker the more often a link was opened there. Pointer and finger ask for one; whoever reads without seeing has the list
 * beside it.
 */
export function WorldMap({ countries }: { countries: Overview['countries'] }) {
  const [chosen, setChosen] = useState<string>();
  const byCode = new Map(countries.map((country) => [country.name, country]));
  const most = Math.max(1, ...countries.filter(({ name }) => name in drawn).map(({ opens }) => opens));
  const first = countries.find(({ name }) => name in drawn)?.name;
  const code = chosen ?? first;
  const country = byCode.get(code ?? '');
  const follow = ({ target }: PointerEvent) => {
    if (target instanceof SVGElement && target.dataset.code !== undefined) setChosen(target.dataset.code);
  };
  return (
    <div className="min-w-0" data-testid="map">
      {code !== undefined && (
        <p className="mb-2 flex min-h-6 flex-wrap items-baseline gap-x-2">
          <strong>{nameKnownCountry(code)}</strong>
          <span className="text-13 text-quiet tabular-nums">
            {country === undefined ? 'not opened there' : describeCountry(country)}
          </span>
        </p>
      )}
      <svg
        viewBox="0 0 1000 480"
        aria-hidden="true"
        className="block w-full touch-pan-y"
        onPointerMove={follow}
        onPointerDown={follow}
      >
        {paths.map(([name, path]) => (
          <path
            key={name}
            d={path}
            data-code={name}
            className={cx(
              shades[levelOf(byCode.get(name)?.opens ?? 0, most)],
              name === code && country !== undefined ? 'stroke-ember' : 'stroke-raised',
            )}
            strokeLinejoin="round"
            vectorEffect="non-scaling-stroke"
          />
        ))}
      </svg>
      {describeBesideMap(countries, (name) => name in drawn).map((said) => (
        <p key={said} className="mt-1 text-13 text-quiet">
          {said}
        </p>
      ))}
    </div>
  );
}
