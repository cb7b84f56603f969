import { lazy, Suspense, useState } from 'react';
import { Button } from '#ui/buttons/button.tsx';
import { Skeleton } from '#ui/feedback/skeleton.tsx';
import type { Overview } from '../contract.ts';
import { describeOpens } from '../hour-texts.ts';
import { nameKnownCountry } from '../insight-texts.ts';
import { PartList } from './part-list.tsx';

// The outlines of the world are large, and only this page draws them.
const WorldMap = lazy(async () => ({ default: (await import('./world-map.tsx')).WorldMap }));
const atFirst = 8;

/** From where links were opened: on a map, and as a list. */
export function Places({ countries }: Pick<Overview, 'countries'>) {
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? countries : countries.slice(0, atFirst);
  return (
    <PartList
      title="Locations"
      parts={shown.map((country) => ({
        key: country.name,
        name: nameKnownCountry(country.name),
        figure: describeOpens(country.opens),
        size: country.opens,
        note: describeEstimate(country),
      }))}
      beside={
        <Suspense fallback={<Skeleton className="aspect-2/1 w-full" />}>
          <WorldMap countries={countries} />
        </Suspense>
      }
    >
      {countries.length > shown.length && (
        <Button variant="bare" className="mt-3 -ml-2.5" onClick={() => setShowsAll(true)}>
          {`All ${countries.length} places`}
        </Button>
      )}
    </PartList>
  );
}

function describeEstimate({ estimatedOpens, opens }: Overview['countries'][number]): string | undefined {
  if (estimatedOpens === 0) return undefined;
  return estimatedOpens === opens ? 'estimated' : 'partly estimated';
}
