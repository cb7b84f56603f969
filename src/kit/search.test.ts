import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldText, foldTexts, searchPattern } from '#kit/search.ts';

describe('a folded text', () => {
  it.each([
    ['Café', 'cafe'],
    ['Cafe\u0301', 'cafe'],
    ['Straße', 'strasse'],
    ['STRASSE', 'strasse'],
    ['STRAẞE', 'strasse'],
    ['Łódź', 'lodz'],
    ['Smørrebrød', 'smorrebrod'],
    ['İstanbul', 'istanbul'],
    ['Ísland – þing', 'island - thing'],
    ['ЁЛКА', 'елка'],
    ['Ὀδυσσεύς', foldText('ΟΔΥΣΣΕΥΣ')],
    ['Bob’s', "bob's"],
    ['ｆｕｌｌ　ｗｉｄｔｈ', 'full width'],
    ['so\u00adft \u202ehyphen', 'soft hyphen'],
    ['が', foldText('か\u3099')],
    ['कि', 'कि'],
  ])('of %s is %s', (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });

  it('keeps letters apart that only look alike', () => {
    expect(foldText('が')).not.toBe(foldText('か'));
    expect(foldText('कि')).not.toBe(foldText('क'));
  });

  it('is the same folded twice, composed or decomposed, in small or capital letters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        const folded = foldText(text);
        expect(foldText(folded)).toBe(folded);
        expect(foldText(text.normalize('NFD'))).toBe(foldText(text.normalize('NFC')));
      }),
    );
  });

  it('of several texts has each on its own line', () => {
    expect(foldTexts('Beach\nat night', null, 'Zoë')).toBe('beach at night\n\nzoe');
  });
});

it('a search for signs that mean something to SQL looks for those signs', () => {
  expect(searchPattern('50 %_\\ ＿')).toBe('%50 \\%\\_\\\\ \\_%');
});
