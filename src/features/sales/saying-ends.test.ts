import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

/* Whatever takes something away that may be for sale says so with `endSales`. Who writes such a row for the first time finds this list. */

const root = path.resolve(import.meta.dirname, '..');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll(path.sep, '/'))
  .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'));
const texts = new Map(files.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
const filesWith = (pattern: RegExp) => files.filter((file) => pattern.test(texts.get(file) ?? '')).toSorted();

/** What is written when something ends: in which store, and from where it is called. */
const writers: readonly { what: string; pattern: RegExp; stores: readonly string[]; callers: readonly string[] }[] = [
  {
    what: 'a link is revoked',
    pattern: /is_revoked(: | = )true/,
    // A delivery is for sale to nobody, and an album ends what it is sold by when it is deleted, a day before it is destroyed.
    stores: ['albums/items/leaving-store.ts', 'held/paid-requests-store.ts', 'links/store.ts'],
    callers: ['links/revoking.ts'],
  },
  {
    what: 'the rules or the end of a link change',
    pattern: /policy_version: version/,
    stores: ['links/change-link.ts'],
    callers: ['links/change-link.ts'],
  },
  {
    what: 'a link or an album is taken down',
    pattern: /taken_down_at = (coalesce|\$)/,
    stores: ['reports/hiding-store.ts'],
    callers: ['reports/hiding.ts'],
  },
  {
    what: 'an album is locked',
    pattern: /else 'locked' end/,
    stores: ['consents/album-store.ts'],
    callers: ['consents/answering.ts'],
  },
  {
    what: 'an album is deleted',
    pattern: /state(: | = )'deleting'[,\n]/,
    stores: ['albums/api.ts', 'plans/lapses/lapses-store.ts'],
    callers: ['albums/api.ts', 'plans/lapses/lapses.ts'],
  },
  {
    what: 'a viewer is blocked',
    pattern: /insert into viewer_blocks|blocked_globally_at = \$|set blocked_at/,
    stores: ['access/blocks-store.ts'],
    callers: ['access/blocking.ts'],
  },
  {
    what: 'an account is suspended or closed',
    pattern: /update users set status = ('suspended'|'deleti|\$)/,
    // What a sandbox sold is retired with its accounts, before any real money is taken.
    stores: ['accounts/access/suspending-store.ts', 'accounts/retiring-store.ts'],
    callers: ['accounts/suspending.ts'],
  },
  {
    what: 'an account is leaving',
    pattern: /insert into account_deletions/,
    // Or is found in a backup that was restored, and leaves again.
    stores: ['privacy/again/erased-store.ts', 'privacy/deletion/deletions-store.ts'],
    callers: ['privacy/again/erased-list.ts', 'privacy/deletion/beginning.ts'],
  },
  {
    what: 'a page is closed',
    pattern: /has_public_page: |set has_public_page/,
    stores: ['accounts/avatars/avatar-store.ts'],
    callers: ['accounts/api.ts'],
  },
  {
    what: 'a tier is stopped or changed',
    pattern: /update fan_tiers/,
    stores: ['orders/fan-tiers-store.ts'],
    callers: ['money/fans/fans-api.ts'],
  },
  {
    what: 'a request goes another way',
    pattern: /changeRequest\(tx, /,
    stores: ['requests/moves/moving.ts'],
    callers: ['requests/moves/moving.ts'],
  },
];

it.each(writers)('$what: nobody writes it but those who say so', ({ pattern, stores, callers }) => {
  expect(filesWith(pattern)).toEqual(stores);
  for (const file of callers) expect(texts.get(file)).toContain('await endSales(');
});

it('is said by nobody else', () => {
  const callers = writers.flatMap((writer) => writer.callers);
  // The sweep finds what ends by the clock.
  const others = ['orders/closing-sales.ts', 'sales/ending.ts'];
  expect(filesWith(/\bendSales\(/)).toEqual([...new Set([...callers, ...others])].toSorted());
});
