import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Policy } from '#features/links/policy.ts';
import { readRows } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { countOf, guards, printProof } from '../counts.ts';
import { whileBroken } from '../crashes/break-installation.ts';
import { acts, type Ending, openClockApp, openVisit, proofs, type Use } from './clock-app.ts';
import { moneyElsewhere, moneyNotes, moneyProofs } from './clock-money.ts';
import { ruleProofs } from './clock-rules.ts';
import { expiringColumns } from './expiring-columns.ts';

guards(
  'src/features/*/rules.ts',
  'src/features/access/**',
  'src/features/viewing/**',
  'src/features/accounts/**',
  'src/features/books/**',
  'src/features/plans/**',
  'src/features/payouts/**',
  'src/features/held/**',
  'src/features/orders/**',
  'src/features/returns/**',
  'src/features/money/**',
);

/** Everything that ends is alive one millisecond before its instant and dead at it; what was ended stays so when the clock jumps. */
const second = 1000;
const hour = 3_600_000;
const day = 24 * hour;
const noon = '2026-11-21T12:00:00.000Z';
/** Around a change to summer time, a leap day and the end of 32-bit seconds. */
const moments = [noon, '2027-03-28T00:59:59.999Z', '2028-02-28T23:30:00.000Z', '2038-01-18T03:14:07.999Z'];
const patience = { timeout: countOf(120_000, 3_600_000) };

let app: TestApp;
let probes = 0;
const counts = { early: 0, late: 0 };
beforeAll(async () => {
  app = await openClockApp();
});
beforeEach(() => app.setNow(noon));
afterAll(async () => {
  printProof('clock', probes, {
    ends: Object.keys(endings).length,
    moments: countOf(1, moments.length),
    ...counts,
  });
  await app.close();
});

const alive = { renewal: 200, pictures: 1, again: true };
const dead = { renewal: 410, pictures: 0, again: false };

/** Ends that are held elsewhere: the column, the test's file and its name. */
const elsewhere: Record<string, readonly [file: string, name: string]> = {
  'traces.expires_at': [
    'src/features/tracing/work/trace-work.test.ts',
    'deletes copies after 30 days, at their very instant',
  ],
  'traces.place_at': [
    'src/features/tracing/work/copies.test.ts',
    'a trace that does not come further is over after a day',
  ],
  'auth_sessions.away_at': [
    'src/features/accounts/app-lock/app-lock.test.ts',
    'locks a minute after it was left, at its very instant',
  ],
  'users.home_screen_wizard_skipped_at': [
    'src/features/accounts/app-lock/lock-rules.test.ts',
    'is shown again after 7 days, three times at most',
  ],
  'break_glasses.ends_at': [
    'src/features/reports/glass/glass.test.ts',
    'shows nothing before a reason was given, and then what the link shows, for half an hour',
  ],
  'people_erasures.erase_at': [
    'src/features/privacy/people/people.test.ts',
    'is called off until its very instant, and changes nothing before',
  ],
  'account_deletions.erase_at': [
    'src/features/privacy/deletion/deletion.test.ts',
    'gives nothing back while it can be called off, and everything of thirty days once it cannot',
  ],
  'album_access_requests.asks_again_at': [
    'src/features/access/requests.test.ts',
    'is told what was said, and when they may ask again; never, if the creator says so',
  ],
  'auth_sessions.code_at': [
    'src/features/accounts/second-factor/second-factor.test.ts',
    'says how long a code is fresh',
  ],
  'report_answers.decide_by': [
    'src/features/reports/appeals.test.ts',
    'opens it after ten working days, unless whoever reported it has gone to court',
  ],
  'users.erase_at': ['src/features/accounts/joining/setup.test.ts', 'erases her within 24 hours'],
  'viewers.age_confirmed_at': ['src/features/access/store.test.ts', 'remember "18 or older" for 30 days'],
  'viewer_sessions.last_beat_at': ['src/features/insights/looking-now.test.ts', 'has said nothing for 40 seconds'],
};

/** Columns of the auth library that nothing of ours writes. */
const unused = [
  'auth_verifications.expires_at',
  'auth_accounts.access_token_expires_at',
  'auth_accounts.refresh_token_expires_at',
];

/**
 * What the end of a link was under earlier rules, of which end its maker has been told, until when openings have been told, and
 * when a notice or a job is looked at next: notes that decide over nothing that anybody may see. Nor does the end of a claim, which has a test of its own.
 */
const logged = [
  'claims.expires_at',
  'link_policy_log.expires_at',
  'magic_links.expiry_told_for',
  'magic_links.opens_told_until',
  'notices.due_at',
  // When something is looked at or tried again, and since when something goes on.
  'account_deletions.erasing_since',
  'people_erasures.erasing_since',
  'link_reminders.look_at',
  'link_reminders.opens_at',
  'mail_outbox.next_try_at',
  'media.retry_at',
  'sandbox_use.since',
  'security_events.timestamp',
  'traces.retry_at',
];

/** Instants of something that has happened, which end nothing: what is not named like one is looked at by a person. */
const happened =
  /\.((created|opened|updated|first|last|added|published|archived|started|began|beat|seen|cancelled|cleaned|first_touch|signed_up|void|charge_asked|reversed|ended|finished|sent|used|issued|taken|ready|counted|revoked|taken_down|blocked|blocked_globally|folded|sealed|passed|applied|shared|measured|checked|told|paid|retired|claimed|mailed|receipt|settled|money_back|synced|acknowledged|decided|delivered|connected|stopped|schedule_stopped|reminded|removed|warned|verified|processed|received|occurred|answered|proven|closed|done|built|handed_in|objected|wanted|submitted|disputed|refused|asked|kept|reviewed|changed|undone|handled|matched|notified|released|overdue|keys_destroyed|files_removed|requested|given|people_said|pictures_gone)_at|at|window_start|.*_(verified|confirmed|consent|login|seen|opened|admitted|view|visit|input|challenge|refused|used)_at|(tos|content_policy)_at|free_at|hour)$/;

/** Columns that hold an instant of which nobody has said whether it ends something. */
async function findUnknownInstants(): Promise<{ columns: string[]; unknown: string[] }> {
  const rows = await readRows(
    app,
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and data_type like 'timestamp%' order by 1`,
  );
  const columns = rows.map(({ name }) => String(name));
  const isLate = (name: string) => /expires|until|_ends?_/.test(name);
  return {
    columns,
    unknown: columns.filter((name) => !known.includes(name) && (isLate(name) || !happened.test(name))),
  };
}
const columnProofs = { ...proofs, ...moneyProofs };
/** Those of which a test is named there, so long as the auth library leaves none of them empty. */
const expiring = Object.fromEntries(
  Object.entries(expiringColumns).filter(([, held]) => held !== 'never'),
) as typeof elsewhere;
const heldElsewhere = { ...expiring, ...elsewhere, ...moneyElsewhere };
const known = [...Object.keys(columnProofs), ...Object.keys(heldElsewhere), ...unused, ...logged, ...moneyNotes];

test('every instant of the database is known: it ends something and is tried, or it only tells what has happened', async () => {
  const { columns, unknown } = await findUnknownInstants();
  expect(known.filter((name) => !columns.includes(name))).toEqual([]);
  expect(unknown).toEqual([]);
  for (const [file, name] of Object.values(heldElsewhere)) expect(readFileSync(file, 'utf8')).toContain(name);
  for (const name of unused) {
    const [table, column] = name.split('.');
    expect(await readRows(app, `select 1 from ${table} where ${column} is not null`), name).toEqual([]);
  }
});

/** Tries something around its end, each time a new one: some can be used once. */
async function probe({ livesMs, make }: Ending, moment: string): Promise<{ isEarly: boolean; isLate: boolean }> {
  const found = { isEarly: false, isLate: false };
  const uses: [byMs: number, use: Use][] = [];
  app.setNow(moment);
  for (const byMs of [-second, -1, 0, second]) uses.push([byMs, await make()]);
  for (const [byMs, use] of uses) {
    app.setNow(new Date(Date.parse(moment) + livesMs + byMs).toISOString());
    const isAlive = await use();
    if (byMs < 0) found.isEarly ||= !isAlive;
    else found.isLate ||= isAlive;
    probes++;
  }
  return found;
}

const endings: Record<string, Ending> = { ...columnProofs, ...ruleProofs };

test('every rule of a link that speaks of time is tried', () => {
  const timed = Object.keys(Policy.shape).filter((field) => /Ms$|before|after|until/i.test(field));
  expect(timed.length).toBeGreaterThan(2);
  const tried = Object.keys(ruleProofs).map((name) => name.split(',')[0]);
  expect(timed.filter((field) => !tried.includes(field))).toEqual([]);
});

test.each(Object.keys(endings))(
  '%s: alive a second and a millisecond before its instant, dead at it and a second later',
  patience,
  async (name) => {
    for (const moment of moments.slice(0, countOf(1, moments.length))) {
      const found = await probe(endings[name] as Ending, moment);
      counts.early += Number(found.isEarly);
      counts.late += Number(found.isLate);
      expect([moment, found]).toEqual([moment, { isEarly: false, isLate: false }]);
    }
  },
);

/** What moves an end from one moment to another. */
const moves: Record<string, string> = {
  'magic_links.expires_at': 'update magic_links set expires_at = $2 where expires_at = $1',
  'notBefore, which keeps it closed': `update magic_links set policy_version = policy_version + 1,
    policy = policy || jsonb_build_object('notBefore', $2::text) where policy->>'notBefore' = $1`,
  'openForMs, by keys of a video': `update magic_links set policy_version = policy_version + 1,
    policy = policy || jsonb_build_object('openForMs', 120000 + extract(epoch from $2::timestamptz - $1::timestamptz) * 1000)
    where policy->>'openForMs' = '120000'`,
};

test('planted: what ends a millisecond early or late is found, and so is an instant that nobody tries', async () => {
  const shifted = (name: string, byMs: number): Ending => {
    const { livesMs, make } = endings[name] as Ending;
    return {
      livesMs,
      async make() {
        const use = await make();
        const endsAt = app.engines.clock() + livesMs;
        const moved = [endsAt, endsAt + byMs].map((ms) => new Date(ms).toISOString());
        await readRows(app, moves[name] ?? '', moved);
        return use;
      },
    };
  };
  for (const name of Object.keys(moves))
    for (const byMs of [0, -1, 1])
      expect([name, byMs, await probe(shifted(name, byMs), noon)]).toEqual([
        name,
        byMs,
        { isEarly: byMs < 0, isLate: byMs > 0 },
      ]);

  const breach = {
    plant: 'alter table albums add column planted_until timestamptz, add column planted_moment timestamptz',
    mend: 'alter table albums drop column planted_until, drop column planted_moment',
  };
  const { unknown } = await whileBroken(app, breach, findUnknownInstants);
  expect(unknown).toEqual(['albums.planted_moment', 'albums.planted_until']);
});

test.each(Object.keys(acts))(
  '%s stays so when the clock jumps, by an hour or by thirty days, back or on',
  patience,
  async (name) => {
    const use = await (acts[name] as () => Promise<Use>)();
    for (const byMs of [0, -1, -hour, -30 * day, hour, 3 * day, 30 * day, 0]) {
      app.setNow(new Date(Date.parse(noon) + byMs).toISOString());
      const isAlive = await use();
      counts.late += Number(isAlive);
      expect(isAlive, `${byMs} ms on`).toBe(false);
      probes++;
    }
  },
);

test('when the clock jumps on by thirty days no visit goes on, a link that has ended lets nobody in, and one without an end does', async () => {
  const [short, lasting] = [await openVisit({ kind: 'after', hours: 1 }), await openVisit({ kind: 'never' })];
  expect([await short(), await lasting()]).toEqual([alive, alive]);
  app.setNow(new Date(Date.parse(noon) + 30 * day).toISOString());
  expect([await short(), await lasting()]).toEqual([dead, { ...dead, again: true }]);
  app.setNow(noon);
  expect((await lasting()).again).toBe(true);
  probes += 5;
});
