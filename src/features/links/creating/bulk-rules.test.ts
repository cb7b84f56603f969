import { describe, expect, it } from 'vitest';
import { describeDoubles, findDoubles, readNames } from './bulk-rules.ts';

describe('a pasted list of names', () => {
  it('is one name a line, whatever the ends of its lines; empty ones are left out', () => {
    expect(readNames(' Ann \r\n\n\t\nBob\n  \nCleo').names).toEqual(['Ann', 'Bob', 'Cleo']);
    expect(readNames('').names).toEqual([]);
  });
  it('says which names stand there more than once, however they are written', () => {
    expect(readNames('Bob\nAnn\nbob\nBOB\nZoë\nZoe\u0308').doubles).toEqual(['Bob', 'Zoë']);
    expect(findDoubles(['Ann', 'Anna'])).toEqual([]);
  });
  it('says which names are too long, and how many there are too many', () => {
    const long = 'x'.repeat(61);
    expect(readNames(`${'x'.repeat(60)}\n${long}`).tooLong).toEqual([long]);
    const list = (names: number) => Array.from({ length: names }, (_, n) => `Name ${n}`).join('\n');
    expect(readNames(list(100)).tooMany).toBe(0);
    expect(readNames(list(101)).tooMany).toBe(1);
  });
  it('reads no further than a list can be', () => {
    expect(readNames(`Ann\n${' '.repeat(20_000)}\nBob`).names).toEqual(['Ann']);
  });
  it('names up to three of them', () => {
    expect(describeDoubles(['Bob'])).toBe('“Bob” is in the list more than once. A link is for one person.');
    expect(describeDoubles(['Bob', 'Ann'])).toBe(
      '“Bob” and “Ann” are in the list more than once. A link is for one person.',
    );
    expect(describeDoubles(['A', 'B', 'C', 'D', 'E'])).toMatch(/^“A”, “B”, “C” and 2 more are /);
  });
});
