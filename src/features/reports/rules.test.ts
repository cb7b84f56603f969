import { describe, expect, it } from 'vitest';
import { Reason } from '#features/access/contract.ts';
import { decideBy, mayHideLink, slugIn } from './rules.ts';

describe('a report', () => {
  it.each([
    ['https://privatefans.example/view/AbC-12_xyzQ?x=1#y', 'AbC-12_xyzQ'],
    ['privatefans.example/view/AbC-12_xyzQ/', 'AbC-12_xyzQ'],
    ['it is /view/AbC-12_xyzQ, the third one', 'AbC-12_xyzQ'],
    ['AbC-12_xyzQRs', 'AbC-12_xyzQRs'],
    ['short', undefined],
    ['https://privatefans.example/@mia', undefined],
    [`/view/${'x'.repeat(81)}`, undefined],
    ['the photo on the beach', undefined],
  ])('of %j is about %j', (target, slug) => expect(slugIn(target)).toBe(slug));

  it('is decided in 48 hours where it cannot wait, else within seven working days', () => {
    const friday = new Date('2026-11-27T15:00:00Z');
    expect(decideBy('intimate', friday).toISOString()).toBe('2026-11-29T15:00:00.000Z');
    expect(decideBy('minor', friday).toISOString()).toBe('2026-11-29T15:00:00.000Z');
    expect(decideBy('copyright', friday).toISOString()).toBe('2026-12-08T15:00:00.000Z');
    expect(decideBy('other', new Date('2026-11-29T15:00:00Z')).toISOString()).toBe('2026-12-08T15:00:00.000Z');
  });

  it('hides nothing for whom the creator has blocked, and everything else', () => {
    const refused = (reason: (typeof Reason.options)[number]) => ({ ok: false, reason }) as const;
    expect(mayHideLink({ ok: true, via: 'free' })).toBe(true);
    expect(Reason.options.filter((reason) => !mayHideLink(refused(reason))).sort()).toEqual([
      'NOT_FOUND',
      'VIEWER_BLOCKED',
    ]);
  });
});
