import { describe, expect, it } from 'vitest';
import { readMarkers } from './markers.ts';

describe('the markers of an answer', () => {
  it('are bold, italic, underline, code and line breaks', () => {
    expect(readMarkers('a **b** *c* __d__ `e`\nf')).toMatchObject([
      { kind: 'plain', text: 'a ' },
      { kind: 'bold', text: 'b' },
      { kind: 'plain', text: ' ' },
      { kind: 'italic', text: 'c' },
      { kind: 'plain', text: ' ' },
      { kind: 'underline', text: 'd' },
      { kind: 'plain', text: ' ' },
      { kind: 'code', text: 'e' },
      { kind: 'break', text: '\n' },
      { kind: 'plain', text: 'f' },
    ]);
  });

  it('are nothing else: what is not closed, and every other notation, is plain text', () => {
    for (const text of ['2 * 3 = 6', '**open', 'a_b_c', '[x](y)', '# head', '<b>bold</b>', '~~x~~', '****'])
      expect(readMarkers(text)).toEqual([{ kind: 'plain', text, at: 0 }]);
  });

  it('lose no letter, whatever comes', () => {
    const text = '**a*b**`c`__d\n__*';
    expect(
      readMarkers(text)
        .map((span) => span.text)
        .join('')
        .replace(/[*_`]/g, ''),
    ).toBe(text.replace(/[*_`]/g, ''));
  });
});
