import { describe, expect, it } from 'vitest';
import { readDigits } from './read-digits.ts';

describe('a code as it is typed or pasted', () => {
  it.each([
    ['123456', '123456'],
    ['123 456', '123456'],
    [' 123-456\n', '123456'],
    ['Your code: 123\u00a0456', '123456'],
    ['١٢٣٤٥٦', '123456'],
    ['۱۲۳۴۵۶', '123456'],
    ['१२३४५६', '123456'],
    ['１２３４５６', '123456'],
    ['𝟘𝟙𝟗𝟬𝟿𝟶', '019090'],
    ['no digits', ''],
  ])('%s is read as %s', (text, digits) => {
    expect(readDigits(text)).toBe(digits);
  });
});
