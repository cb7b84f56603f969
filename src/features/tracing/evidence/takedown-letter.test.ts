import { describe, expect, it } from 'vitest';
import { readPdf } from '#tests/support/tracing/read-pdf.ts';
import { TakedownLetter } from '../contract.ts';
import { writeTakedownLetter } from './takedown-letter.ts';

const facts = {
  kind: 'intimate',
  address: 'https://leaks.example/pictures/42',
  name: 'Mia Example',
  email: 'mia@example.com',
  traceId: '0196f0c2-7b1c-7e2a-8f00-0123456789ab',
  sha256: 'c'.repeat(64),
  submittedAt: new Date('2026-11-21T12:00:00Z'),
  originals: [{ uploadedAt: new Date('2026-10-01T08:30:00Z'), sha256: 'd'.repeat(64) }],
  now: new Date('2026-11-22T09:00:00Z'),
} as const;

describe('the letter that asks a host to take a copy down', () => {
  it('says what, where, since when it is theirs, and who signs', async () => {
    const { words } = await readPdf(await writeTakedownLetter(facts));
    for (const said of [facts.address, 'c'.repeat(64), 'd'.repeat(64), '2026-10-01 08:30:00 UTC', facts.traceId])
      expect(words).toContain(said);
    expect(words).toContain('Signed Mia Example Email mia@example.com Date November 22, 2026');
    expect(words).toContain('It shows me in an intimate picture');
    expect(words).not.toContain('copyright is mine');
  });

  it('claims a copyright instead, under penalty of perjury', async () => {
    const { words } = await readPdf(await writeTakedownLetter({ ...facts, kind: 'copyright' }));
    expect(words).toContain('copyright is mine');
    expect(words).toContain('under penalty of perjury');
    expect(words).not.toContain('It shows me');
  });

  it('takes the longest address and name that may be typed', async () => {
    const address = `https://leaks.example/${'a'.repeat(1978)}`;
    expect(TakedownLetter.safeParse({ ...facts, address }).success).toBe(true);
    const { words } = await readPdf(await writeTakedownLetter({ ...facts, address, name: 'M'.repeat(80) }));
    expect(words.replaceAll(' ', '')).toContain(address);
    expect(words.replaceAll(' ', '')).toContain('M'.repeat(80));
  });

  it.each(['leaks.example', 'javascript:alert(1)', 'https://me:secret@leaks.example', ''])(
    'refuses the address %j',
    (address) => {
      expect(TakedownLetter.safeParse({ ...facts, address }).success).toBe(false);
    },
  );
});
