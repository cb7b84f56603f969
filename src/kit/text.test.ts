import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  escapeHtml,
  formatBytes,
  formatClock,
  formatCount,
  formatDuration,
  formatLength,
  formatMoney,
  formatShare,
  isolate,
  maskEmail,
} from '#kit/text.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

describe('sizes', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1 KB'],
    [4_800_000, '4.8 MB'],
    [99_940_000, '99.9 MB'],
    [99_960_000, '100 MB'],
    [999_499, '999 KB'],
    [999_500, '1 MB'],
    [5_000_000_000, '5 GB'],
    [2 ** 53, '9007 TB'],
  ])('%i bytes read %s', (sizeBytes, words) => {
    expect(formatBytes(sizeBytes)).toBe(words);
  });

  it('is never off by more than a twentieth', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 15 }), (sizeBytes) => {
        const [number = '', unit = ''] = formatBytes(sizeBytes).split(' ');
        const shown = Number(number) * 1000 ** ['B', 'KB', 'MB', 'GB', 'TB'].indexOf(unit);
        return Math.abs(shown - sizeBytes) <= sizeBytes / 20;
      }),
    );
  });
});

describe('spans of time', () => {
  it.each([
    [0, '0 s', '0:00'],
    [38 * second, '38 s', '0:38'],
    [4 * minute + 12 * second, '4 min 12 s', '4:12'],
    [2 * minute + 8 * second + 999, '2 min 08 s', '2:08'],
    [2 * hour + 5 * minute, '2 h 05 min', '2:05:00'],
    [23 * hour + 41 * minute + 7 * second, '23 h 41 min', '23:41:07'],
    [76 * hour, '3 d 4 h', '76:00:00'],
    [48 * hour, '2 d', '48:00:00'],
    [-1, '0 s', '0:00'],
  ])('%i ms read %s and %s', (durationMs, words, clock) => {
    expect(formatDuration(durationMs)).toBe(words);
    expect(formatClock(durationMs)).toBe(clock);
  });

  it('of videos are never none', () => {
    expect([100, 999, 1999, 61_000].map(formatLength)).toEqual(['0:01', '0:01', '0:01', '1:01']);
  });
});

describe('counts', () => {
  it('agrees with its noun', () => {
    expect(formatCount(0, 'photo')).toBe('0 photos');
    expect(formatCount(1, 'photo')).toBe('1 photo');
    expect(formatCount(1204, 'reply', 'replies')).toBe('1,204 replies');
  });
});

describe('amounts', () => {
  it.each([
    [399, 'USD', '$3.99'],
    [500, 'USD', '$5.00'],
    [123_456, 'EUR', '€1,234.56'],
    [500, 'JPY', '¥500'],
  ])('%i of %s read %s', (cents, currency, words) => {
    expect(formatMoney(cents, currency)).toBe(words);
  });
});

it('a text is only ever text in HTML', () => {
  expect(escapeHtml(`<a href="x" title='y'>Tom & Ann</a>`)).toBe(
    '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;Tom &amp; Ann&lt;/a&gt;',
  );
});

describe('a name inside of a sentence', () => {
  it('stands as it is when it turns nothing', () => {
    for (const name of ['Mia', 'Zoë 9', '美香', 'Ана', '']) expect(isolate(name)).toBe(name);
  });

  it('is set apart when it turns the direction of writing, and cannot end that itself', () => {
    expect(isolate('\u202egpj.aiM')).toBe('\u2068\u202egpj.aiM\u2069');
    expect(isolate('מיה')).toBe('\u2068מיה\u2069');
    expect(isolate('a\u2069\u202eb')).toBe('\u2068a\u202eb\u2069');
    expect(isolate('\u2067\u2067x')).toBe('\u2068x\u2069');
  });
});

it('an address is shown so that its owner knows it and nobody else does', () => {
  expect(maskEmail('bob@example.com')).toBe('b•••@example.com');
  expect(maskEmail('nothing')).toBe('•••');
});

it('a share is never rounded to all or nothing, and of nobody it is nothing', () => {
  expect([
    formatShare(999, 1000),
    formatShare(1, 1000),
    formatShare(0, 7),
    formatShare(7, 7),
    formatShare(0, 0),
  ]).toEqual([...['99%', 'under 1%', '0%', '100%', '0%']]);
});
