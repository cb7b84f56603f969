import { expect, it } from 'vitest';
import { describeBesideMap, describeCountry } from './place-texts.ts';

const from = (name: string, opens: number, estimatedOpens = 0) => ({
  name,
  opens,
  views: 1,
  watchMs: 0,
  estimatedOpens,
});

it('a country tells its views and opens, and how many were estimated', () => {
  expect([from('DE', 15), from('DE', 15, 3), from('DE', 15, 15)].map(describeCountry)).toEqual([
    ...['1 view · opened 15×', '1 view · opened 15×, 3 of them estimated', '1 view · opened 15×, estimated'],
  ]);
});

it('what a map cannot show is said beside it, and nothing where it shows all', () => {
  const isDrawn = (code: string) => code === 'DE';
  expect(describeBesideMap([from('DE', 15)], isDrawn)).toEqual([]);
  expect(describeBesideMap([from('DE', 15, 1), from('', 1200), from('SG', 2), from('MT', 1)], isDrawn)).toEqual([
    "1 open placed by the phone's time zone.",
    '1,200 opens from an unknown place, not on the map.',
    'Singapore and Malta are not drawn on the map.',
  ]);
});
