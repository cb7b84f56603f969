import { describe, expect, it } from 'vitest';
import { createLru } from './lru.ts';

describe('a map that forgets', () => {
  it('keeps what was asked for last', () => {
    const lru = createLru<string, number>(2);
    lru.set('a', 1);
    lru.set('b', 2);
    lru.get('a');
    lru.set('c', 3);
    expect([lru.get('a'), lru.get('b'), lru.get('c')]).toEqual([1, undefined, 3]);
    lru.delete('a');
    expect(lru.get('a')).toBeUndefined();
  });
});
