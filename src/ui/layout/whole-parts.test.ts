import { expect, test } from 'vitest';
import { wholeParts } from './whole-parts.ts';

test('a line breaks between its parts only, behind their dots, and within a part that is long', () => {
  const breaks = (line: string) => wholeParts(line).split(' ');
  expect(breaks('Opened 12× · last 2h ago · United Kingdom · 13 min 02 s')).toEqual(
    ['Opened 12× ·', 'last 2h ago ·', 'United Kingdom ·', '13 min 02 s'].map((part) => part.replaceAll(' ', '\u00a0')),
  );
  expect(breaks('free · a description of some length')).toHaveLength(6);
  expect(breaks('one short part')).toHaveLength(3);
});
