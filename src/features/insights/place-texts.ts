import { formatCount } from '#kit/text.ts';
import type { Overview } from './contract.ts';
import { nameKnownCountry } from './insight-texts.ts';

type Country = Overview['countries'][number];

/** What came from a country: "12 views · opened 15×, 3 of them estimated". */
export function describeCountry({ views, opens, estimatedOpens }: Country): string {
  const estimated =
    estimatedOpens === 0
      ? ''
      : estimatedOpens === opens
        ? ', estimated'
        : `, ${estimatedOpens.toLocaleString('en')} of them estimated`;
  return `${formatCount(views, 'view')} · opened ${opens.toLocaleString('en')}×${estimated}`;
}

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** Returns what a map cannot show, in sentences: opens from nobody knows where, and countries that are not drawn. */
export function describeBesideMap(countries: readonly Country[], isDrawn: (code: string) => boolean): string[] {
  const unknown = countries.find(({ name }) => name === '')?.opens ?? 0;
  const small = countries.filter(({ name }) => name !== '' && !isDrawn(name)).map(({ name }) => nameKnownCountry(name));
  const estimated = countries.reduce((sum, { name, estimatedOpens }) => sum + (name === '' ? 0 : estimatedOpens), 0);
  const opens = (count: number) => (count === 1 ? '1 open' : `${count.toLocaleString('en')} opens`);
  return [
    ...(estimated > 0 ? [`${opens(estimated)} placed by the phone's time zone.`] : []),
    ...(unknown > 0 ? [`${opens(unknown)} from an unknown place, not on the map.`] : []),
    ...(small.length > 0 ? [`${list.format(small)} ${small.length === 1 ? 'is' : 'are'} not drawn on the map.`] : []),
  ];
}
