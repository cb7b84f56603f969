import { describe, expect, it } from 'vitest';
import { nameText, optionalName } from './bounded-text.ts';

const name = nameText(40, 'too long', 2, 'too short');
const faultOf = (text: string, shape = name) => shape.safeParse(text).error?.issues[0]?.message;
const unseen = [
  '\u200b\u200b',
  '\u2060\u200d\u2060',
  '\u3164\u3164',
  '\u2800\u2800',
  '\u00ad\u034f',
  '\u202e\u202e',
  '\u{e0041}\u{e0042}',
  '\ufe0f\ufe0f',
];

describe('a name', () => {
  it('of letters that nobody sees is refused', () => {
    for (const text of unseen) expect([text, faultOf(text)]).toEqual([text, 'Use letters that can be seen']);
    for (const text of unseen) expect(faultOf(text, optionalName(40, 'too long'))).toBe('Use letters that can be seen');
    expect(faultOf('A\u200b\u200b'), 'one letter is not two').toBe('Use letters that can be seen');
  });

  it('of any script, of signs and of pictures is taken', () => {
    for (const text of ['Mia', 'Ана', '美香', '미아', 'مريم', 'का', '❤️❤️', '👩‍👩‍👧', '..', '\u202eaiM'])
      expect([text, faultOf(text)]).toEqual([text, undefined]);
    expect(faultOf('❤️', optionalName(40, 'too long'))).toBeUndefined();
  });

  it('may be one letter', () => {
    const short = nameText(40, 'too long', 1, 'too short');
    for (const text of ['O', '李', '👩‍👩‍👧']) expect([text, faultOf(text, short)]).toEqual([text, undefined]);
    expect(faultOf('\u200b', short)).toBe('Use letters that can be seen');
  });

  it('that is missing, short or long is told so', () => {
    expect([faultOf(' '), faultOf('A'), faultOf('A'.repeat(41))]).toEqual(['too short', 'too short', 'too long']);
    expect(faultOf('', optionalName(40, 'too long'))).toBeUndefined();
  });
});
