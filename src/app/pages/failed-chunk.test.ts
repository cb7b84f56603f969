import { expect, it } from 'vitest';
import { isFailedChunk, takeReload } from '#app/pages/failed-chunk.ts';

it('knows a part of the program that could not be fetched, in the words of each browser', () => {
  const words = [
    'Failed to fetch dynamically imported module: https://example.test/assets/albums-page-1.js',
    'error loading dynamically imported module: https://example.test/assets/albums-page-1.js',
    'Importing a module script failed.',
    'Unable to preload CSS for /assets/albums-page-1.css',
  ];
  for (const message of words) expect(isFailedChunk(new TypeError(message))).toBe(true);
});

it('takes nothing else for it', () => {
  for (const error of [
    new Error('Failed to fetch'),
    new Error('x is undefined'),
    'Failed to fetch dynamically imported module',
    null,
  ])
    expect(isFailedChunk(error)).toBe(false);
});

it('reloads once for a build, and again for the next one', () => {
  const kept = new Map<string, string>();
  const marks = { getItem: (name: string) => kept.get(name) ?? null, setItem: kept.set.bind(kept) };
  const take = (build: string) => takeReload(() => marks, build);
  expect([take('a'), take('a'), take('b'), take('b')]).toEqual([true, false, true, false]);
});

it('reloads nothing where the tab may not remember it', () => {
  const refuse = () => {
    throw new Error('SecurityError');
  };
  expect(takeReload(refuse, 'a')).toBe(false);
});
