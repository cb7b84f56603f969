import { encode } from 'uqr';
import { expect, test } from 'vitest';
import { drawModules } from './qr-modules.ts';

/** The squares that a path of runs (`M x y h width v1 H x z`) covers, each row as text. */
function paint(path: string, size: number): string[] {
  const rows = Array.from({ length: size }, () => Array<string>(size).fill('.'));
  const runs = path.split('z').slice(0, -1);
  for (const run of runs) {
    const [x = 0, y = 0, width = 0, back] = (/^M(\d+) (\d+)h(\d+)v1H(\d+)$/.exec(run) ?? []).slice(1).map(Number);
    expect(back, `${run} comes back to where it began`).toBe(x);
    for (let at = x; at < x + width; at++) {
      expect(rows[y]?.[at], 'no square is painted twice').toBe('.');
      (rows[y] ?? [])[at] = '#';
    }
  }
  return rows.map((row) => row.join(''));
}

test.each([
  'https://studio.example.com/view/6bTqZk0rW2mYc1LhV8sXfA',
  'http://localhost:3000/view/a',
  `https://a.example/view/${'very-long-'.repeat(12)}`,
])('the picture of %s has the dark squares of its code and no others', (text) => {
  const { data, size: side } = encode(text, { ecc: 'M', border: 4 });
  const { size, path } = drawModules(text);
  expect(size).toBe(side);
  expect(paint(path, size)).toEqual(data.map((row) => row.map((isDark) => (isDark ? '#' : '.')).join('')));
});

test('a code has the quiet border that a camera needs, and the finders in three corners', () => {
  const { size, path } = drawModules('https://studio.example.com/view/a');
  const rows = paint(path, size);
  const light = '.'.repeat(size);
  expect([...rows.slice(0, 4), ...rows.slice(-4)]).toEqual(Array(8).fill(light));
  for (const row of rows) expect([row.slice(0, 4), row.slice(-4)]).toEqual(['....', '....']);
  const finder = ['#######', '#.....#', '#.###.#', '#.###.#', '#.###.#', '#.....#', '#######'];
  const corner = (x: number, y: number) => rows.slice(y, y + 7).map((row) => row.slice(x, x + 7));
  for (const [x, y] of [
    [4, 4],
    [size - 11, 4],
    [4, size - 11],
  ] as const)
    expect(corner(x, y)).toEqual(finder);
});
