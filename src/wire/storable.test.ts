import { expect, it } from 'vitest';
import { isStorable } from './storable.ts';

const nest = (depth: number): unknown => {
  let inner: unknown = 'x';
  for (let level = 0; level < depth; level++) inner = level % 2 === 0 ? [inner] : { inner };
  return inner;
};

it('takes what people write, in any alphabet', () => {
  for (const fine of [undefined, null, 7, 'Ünï👩‍👩‍👧', { a: ['b', { c: '' }] }, new Date(0), nest(60)])
    expect(isStorable(fine)).toBe(true);
});

it('refuses the letter 0 and half a letter, in values and names, and endless nests', () => {
  for (const bad of [
    '\0',
    'a\0b',
    '\ud800',
    { a: ['\udfff'] },
    { '\0': 1 },
    { a: { '\ud800': 1 } },
    nest(70),
    nest(200_000),
  ])
    expect(isStorable(bad)).toBe(false);
});
