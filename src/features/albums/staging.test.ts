import { expect, test } from 'vitest';
import { readMetadata, shortenName } from './staging.ts';

test('a name that is too long keeps its ending and whole letters', () => {
  expect(shortenName('IMG_1.jpg')).toBe('IMG_1.jpg');
  const long = shortenName(`${'a'.repeat(300)}.jpeg`);
  expect([long.length, long.endsWith('aaa.jpeg')]).toEqual([255, true]);
  for (const letter of ['👩‍👩‍👧', 'e\u0301', '𝒜'])
    for (const ending of ['.heic', '', '.'.repeat(3)]) {
      const short = shortenName(`x${letter.repeat(300)}${ending}`);
      const whole = short.slice(1, ending === '.heic' ? -ending.length : undefined);
      expect(short.length).toBeLessThanOrEqual(255);
      expect([letter, ending, whole.replaceAll(letter, ''), short.isWellFormed()]).toEqual([letter, ending, '', true]);
      if (ending === '.heic') expect(short.endsWith(ending)).toBe(true);
    }
  expect(readMetadata({ filename: `\u0007${'ä'.repeat(400)}.mov` }).originalName).toMatch(/^ä{251}\.mov$/);
  expect(readMetadata({ filename: '\u0007' }).originalName).toBe('file');
  expect(readMetadata({ filename: 'a\u2028b\ufffe\u007f\r\n.jpg' }).originalName).toBe('a b .jpg');
});
