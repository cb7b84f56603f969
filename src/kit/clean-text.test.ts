import { describe, expect, it } from 'vitest';
import { cleanLine, cleanText } from './clean-text.ts';

/** Every UTF-16 unit, each as a text of its own. */
const units = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit));
/** The production `Char` of XML 1.0, written another way. */
const isForbidden = (unit: number) =>
  (unit < 0x20 && ![9, 10, 13].includes(unit)) || (unit >= 0xd800 && unit < 0xe000) || unit >= 0xfffe;

describe('a text', () => {
  it('loses what XML forbids, and nothing else', () => {
    const lost = units.filter((unit) => cleanText(`a${unit}b`) === 'ab').map((unit) => unit.charCodeAt(0));
    const forbidden = units.map((unit) => unit.charCodeAt(0)).filter(isForbidden);
    const become = [0x0b, 0x0c];
    expect(lost).toEqual(forbidden.filter((unit) => !become.includes(unit)));
    expect(cleanText('👩‍👩‍👧 \u{1fffe}')).toBe('👩‍👩‍👧 \u{1fffe}');
  });

  it('keeps its lines, each ended by the same sign', () => {
    expect(cleanText('a\r\nb\rc\vd\fe\u0085f\u2028g\u2029h\ni\t')).toBe('a\nb\nc\nd\ne\nf\ng\nh\ni\t');
  });
});

describe('a line', () => {
  it('is one line, whatever was typed', () => {
    for (const end of ['\n', '\r', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029', '\t', ' \n\n ', '\u00a0\u2028'])
      expect([end, cleanLine(`Mia${end}Pay here`)]).toEqual([end, 'Mia Pay here']);
    expect(cleanLine('two  spaces\u0001')).toBe('two  spaces');
  });
});
