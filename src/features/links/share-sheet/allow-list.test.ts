import { describe, expect, it } from 'vitest';
import { longestAllowText, readAllowList } from './allow-list.ts';

describe('a list of addresses', () => {
  it('is read from lines and commas, each address once', () => {
    expect(readAllowList(' Lena@Example.com\n\n@team.example, bob@team.example;lena@example.com\r\n')).toEqual({
      allow: ['lena@example.com', '@team.example', 'bob@team.example'],
    });
    expect(readAllowList(' \n')).toEqual({ allow: [] });
  });

  it('names each line that is no address, and counts them where they are many', () => {
    expect(readAllowList('lena@example.com\nlena@')).toEqual({
      fault: "“lena@” isn't an address or a domain.",
    });
    expect(readAllowList('a\nb')).toEqual({ fault: "“a” and “b” aren't addresses or domains." });
    expect(readAllowList('a\nb\nc\nd\ne')).toEqual({
      fault: "“a”, “b”, “c” and 2 more lines aren't addresses or domains.",
    });
  });

  it('takes 200 and no more, and does not read what is far longer', () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => `v${n}@example.com`).join('\n');
    expect(readAllowList(many(200))).toMatchObject({ allow: { length: 200 } });
    const fault = { fault: 'Use at most 200 addresses.' };
    expect(readAllowList(many(201))).toEqual(fault);
    expect(readAllowList('a'.repeat(longestAllowText + 1))).toEqual(fault);
  });
});
