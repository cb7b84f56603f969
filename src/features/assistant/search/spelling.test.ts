import { describe, expect, it } from 'vitest';
import { countFaults, createSpelling } from './spelling.ts';

describe('spelling', () => {
  it('counts a letter that is missing, too many, wrong or in its neighbour’s place as one fault', () => {
    expect(countFaults('album', 'album')).toBe(0);
    for (const wrong of ['albm', 'alblum', 'albun', 'ablum']) expect(countFaults(wrong, 'album')).toBe(1);
    expect(countFaults('', 'link')).toBe(4);
    expect(countFaults('recieve', 'receive')).toBe(1);
  });

  it('puts a long word right by two letters, a short one by one, the shortest by none, and never the first letter', () => {
    const spell = createSpelling(new Set(['screenshot', 'album', 'tip']));
    expect(spell(['screnshoot', 'albun', 'tib', 'blbum', 'albnm', 'alxxm'])).toEqual([
      'screenshot',
      'album',
      'tib',
      'blbum',
      'album',
      'alxxm',
    ]);
  });

  it('leaves known words, and those behind the fortieth unknown one', () => {
    const spell = createSpelling(new Set(['album']));
    const unknown = Array.from({ length: 40 }, (_, n) => `zzzz${n}`);
    expect(spell([...unknown, 'albun']).at(-1)).toBe('albun');
    expect(spell([...unknown.slice(1), 'album', 'albun']).at(-1)).toBe('album');
  });
});
