import { describe, expect, it } from 'vitest';
import { arrange, isMomentCursor, isNameCursor, readCursor, undoUntil, writeCursor } from './rules.ts';

const id = '01a1fe8d-3112-7987-9935-8dc02ff2ae2c';

describe('an order of items', () => {
  it('is taken as it was drawn', () => {
    expect(arrange(['a', 'b', 'c'], ['c', 'a', 'b'])).toEqual(['c', 'a', 'b']);
    expect(arrange([], [])).toEqual([]);
  });
  it('leaves what came meanwhile at the end, in the order in which it came', () => {
    expect(arrange(['a', 'b', 'new', 'newer'], ['b', 'a'])).toEqual(['b', 'a', 'new', 'newer']);
  });
  it('is none that doubles an item or names a foreign one', () => {
    expect(arrange(['a', 'b'], ['a', 'a'])).toBeUndefined();
    expect(arrange(['a', 'b'], ['a', 'x'])).toBeUndefined();
    expect(arrange(['a', 'b'], ['a', 'b', 'x'])).toBeUndefined();
  });
});

it('what is deleted can be brought back for 72 hours', () => {
  expect(undoUntil(new Date('2026-11-21T12:00:00Z'))).toEqual(new Date('2026-11-24T12:00:00Z'));
});

describe('where a page of a list ended', () => {
  it.each([[{ at: '2026-11-21T12:00:00.000Z', id }], [{ at: 'Summer | by the sea', id }], [{ at: '', id }]])(
    'is read as it was written: %j',
    (cursor) => {
      expect(readCursor(writeCursor(cursor))).toEqual(cursor);
    },
  );
  it('is nothing where nothing was said, or no end', () => {
    expect(readCursor(undefined)).toBeUndefined();
    expect(readCursor('')).toBeUndefined();
    expect(readCursor('no end')).toBeUndefined();
  });

  it.each([
    [`2026-11-21T12:00:00.000Z|${id}`, true],
    [`2024-02-29T00:00:00.000Z|${id}`, true],
    [`2026-02-29T00:00:00.000Z|${id}`, false],
    [`2026-11-31T00:00:00.000Z|${id}`, false],
    [`2026-11-21T25:00:00.000Z|${id}`, false],
    [`0000-01-01T00:00:00.000Z|${id}`, false],
    [`2026-11-21T12:00:00Z|${id}`, false],
    [`2026-11-21T12:00:00.000Z${id}`, false],
    [`x2026-11-21T12:00:00.000Z|${id}`, false],
    [`2026-11-21T12:00:00.000Z|${id}0`, false],
    [`2026-11-21T12:00:00.000Z|${id.toUpperCase()}`, false],
    [`2026-11-21T12:00:00.000Z|${id.slice(1)}`, false],
    [`2026-11-21T12:00:00.000Z|`, false],
    ['', false],
  ])('of a list by time is a moment that there is, and an id: %s is %s', (text, is) => {
    expect(isMomentCursor(text)).toBe(is);
  });

  it.each([
    [`Summer|${id}`, true],
    [`Summer | by the sea\n|${id}`, true],
    [`${'x'.repeat(80)}|${id}`, true],
    [`${'x'.repeat(81)}|${id}`, false],
    [`|${id}`, false],
    [`Sum\0mer|${id}`, false],
    [`Summer|${id}0`, false],
    [`Summer|${id.replaceAll('-', '')}`, false],
    ['Summer|', false],
  ])('of a list by name is a name of 80 letters at most, and an id: %j is %s', (text, is) => {
    expect(isNameCursor(text)).toBe(is);
  });
});
