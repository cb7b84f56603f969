import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sweepAccounts } from '#features/accounts/jobs.ts';
import { noteArrival } from '#features/accounts/joining/arrivals.ts';
import { writeSetting } from '#features/settings/store.ts';
import { dayMs } from '#kit/time.ts';
import { advance, confirmPerson, goodPassword, readRows, signUpCreator } from '#tests/support/people.ts';
import { type Browser, copyOf, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import type { Context } from '#wire/context.ts';
import { namePage, nameReferrer } from './visits.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  await count(1);
});
afterAll(() => app.close());

async function count(value: number): Promise<void> {
  await app.engines.database.work({ kind: 'system' }, (tx) =>
    writeSetting(tx, { key: 'marketing.countVisits', value, by: null, now: new Date(app.engines.clock()) }),
  );
  await vi.waitFor(async () => {
    const { body } = await app.call('marketing.facts');
    if (body.countsVisits !== (value === 1)) throw new Error('not in force yet');
  });
}

/** Somebody who has answered the question about being measured. */
function visitorWho(says: 'yes' | 'no' | undefined): Browser {
  const browser = newBrowser({ 'user-agent': 'a browser' });
  if (says !== undefined) browser.cookies.set('pf_consent', says);
  return browser;
}
const look = (browser: Browser, ...visits: object[]) =>
  app.call('marketing.noteVisits', { visits: visits.length === 0 ? [{ path: '/pricing' }] : visits }, browser);
const noted = (vid: string | undefined) =>
  readRows(app, 'select path, referrer, utm, ip_address, user_agent, user_id from visit_events where vid = $1', [vid]);
const countAll = async () => (await readRows(app, 'select count(*)::int as n from visit_events'))[0]?.n;

describe('a visit', () => {
  it('is noted after a yes, under a number that the answer to the first call gives and no later one changes', async () => {
    const browser = visitorWho('yes');
    const first = await look(browser, {
      path: '/',
      referrer: 'https://social.example/somebody?x=1',
      utm: { source: 'bio', term: '' },
    });
    expect([first.status, first.body]).toEqual([200, {}]);
    expect(first.headers['set-cookie']).toMatch(
      /^vid=[A-Za-z0-9]{22}; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/,
    );
    const vid = browser.cookies.get('vid');
    const second = await look(browser, { path: '/pricing' }, { path: '/auth' });
    expect(second.headers['set-cookie']).toBeUndefined();
    const rest = { ip_address: null, user_agent: 'a browser', user_id: null };
    expect(await noted(vid)).toEqual([
      { path: '/', referrer: 'https://social.example', utm: { source: 'bio' }, ...rest },
      { path: '/pricing', referrer: null, utm: null, ...rest },
      { path: '/auth', referrer: null, utm: null, ...rest },
    ]);
  });

  it('is noted of nobody who said no, or nothing, or where nobody counts; all get the same answer and no cookie', async () => {
    const before = await countAll();
    const answers = [await look(visitorWho('no')), await look(visitorWho(undefined))];
    await count(0);
    answers.push(await look(visitorWho('yes')));
    await count(1);
    for (const { status, body, headers } of answers)
      expect([status, body, headers['set-cookie']]).toEqual([200, {}, undefined]);
    expect(await countAll()).toBe(before);
  });

  it('gets a number of ours, whatever the browser says of itself', async () => {
    const browser = visitorWho('yes');
    browser.cookies.set('vid', "'; drop table visit_events; --");
    await look(browser);
    expect(browser.cookies.get('vid')).toMatch(/^[A-Za-z0-9]{22}$/);
  });

  it('is bounded: ten pages a call, short words, 120 pages an hour and visitor, and what is over is not told', async () => {
    const browser = visitorWho('yes');
    await look(browser);
    const pages = (many: number) => Array.from({ length: many }, () => ({ path: '/' }));
    for (const bad of [
      { visits: pages(11) },
      { visits: [] },
      { visits: [{ path: `/${'x'.repeat(200)}` }] },
      { visits: [{ path: '/', referrer: 'x'.repeat(501) }] },
      { visits: [{ path: '/', utm: { source: 'x'.repeat(101) } }] },
    ])
      expect((await app.call('marketing.noteVisits', bad, browser)).status).toBe(422);
    for (let calls = 0; calls < 14; calls++) expect((await look(browser, ...pages(10))).status).toBe(200);
    expect((await noted(browser.cookies.get('vid'))).length).toBeLessThanOrEqual(121);
    expect((await noted(browser.cookies.get('vid'))).length).toBeGreaterThan(100);
  });

  it('that cannot be written down is a line of the log, and no more', async () => {
    const warned: unknown[] = [];
    const { warn } = app.engines.log;
    app.engines.log.warn = (_about: object, words?: string) => void warned.push(words);
    const { work } = app.engines.database;
    app.engines.database.work = () => Promise.reject(new Error('away'));
    const answer = await look(visitorWho('yes'));
    app.engines.database.work = work;
    app.engines.log.warn = warn;
    expect([answer.status, answer.body, answer.headers['set-cookie']]).toEqual([200, {}, undefined]);
    expect(warned).toEqual(['visits were not noted']);
  });

  it('is forgotten after a year, and the arrivals with it', async () => {
    const browser = visitorWho('yes');
    await look(browser);
    advance(app, 365 * dayMs - 1);
    await look(browser);
    advance(app, 2);
    await sweepAccounts(app.engines);
    expect(await noted(browser.cookies.get('vid'))).toHaveLength(1);
  });
});

describe('who signs in', () => {
  it('is known to have been the visitor of the last 90 days, and nobody else is', async () => {
    const { email, userId } = await signUpCreator(app);
    const browser = visitorWho('yes');
    await look(browser, { path: '/about' });
    advance(app, 90 * dayMs);
    await look(browser, { path: '/pricing' });
    advance(app, 1);
    const stranger = copyOf(browser);
    await app.call('accounts.captureLead', { email: 'lead@example.com', source: 'signup_form' }, browser);
    expect((await app.call('accounts.signIn', { email, password: goodPassword }, browser)).status).toBe(200);
    expect(await noted(browser.cookies.get('vid'))).toMatchObject([
      { path: '/about', user_id: null },
      { path: '/pricing', user_id: userId },
    ]);
    expect(await readRows(app, `select user_id from lead_captures where email = 'lead@example.com'`)).toEqual([
      { user_id: userId },
    ]);
    // Another person in the same browser, or with the same cookie, gets nothing of it.
    const other = await signUpCreator(app);
    await app.call('accounts.signIn', { email: other.email, password: goodPassword }, stranger);
    expect((await noted(browser.cookies.get('vid'))).filter(({ user_id }) => user_id === other.userId)).toEqual([]);
  });

  it('is a conversion, and so is who makes an account; without a yes neither is', async () => {
    const conversions = () =>
      readRows(
        app,
        'select conversion_type, conversion_value, page_path, user_id, session_id from conversion_events order by created_at, id',
      );
    await readRows(app, 'delete from conversion_events');
    const { email, userId } = await signUpCreator(app);
    await app.call('accounts.signIn', { email, password: goodPassword }, visitorWho(undefined));
    expect(await conversions()).toEqual([]);
    const browser = visitorWho('yes');
    await look(browser);
    const { userId: another } = await confirmPerson(app, 'counted@example.com', browser);
    advance(app, 1000);
    await app.call('accounts.signIn', { email, password: goodPassword }, browser);
    const sessions = await readRows(
      app,
      'select id, user_id from auth_sessions where user_id = any($1) order by created_at desc limit 1',
      [[userId, another]],
    );
    const rest = { conversion_value: 0, page_path: '/auth' };
    expect(await conversions()).toEqual([
      { conversion_type: 'signup', user_id: another, session_id: expect.any(String), ...rest },
      { conversion_type: 'signin', user_id: userId, session_id: sessions[0]?.id, ...rest },
    ]);
  });

  it('never hears of it when that cannot be written down', async () => {
    const warned: unknown[] = [];
    const context = {
      caller: { cookie: (name: string) => (name === 'vid' ? 'A'.repeat(22) : 'yes') },
      engines: { log: { warn: (_about: object, words?: string) => void warned.push(words) } },
      asSystem: () => Promise.reject(new Error('away')),
    } as unknown as Context;
    await noteArrival(context, { userId: '', sessionId: '' }, { type: 'signin', page: '/auth' });
    expect(warned).toEqual(['an arrival was not noted']);
  });
});

it('whoever takes her yes back is forgotten, and her number with her', async () => {
  const browser = visitorWho('yes');
  await look(browser);
  const vid = browser.cookies.get('vid');
  expect((await app.call('marketing.forgetVisits', {}, browser)).status).toBe(200);
  expect(browser.cookies.has('vid')).toBe(false);
  expect(await noted(vid)).toEqual([]);
});

describe('what is kept of an address', () => {
  it.each([
    ['/', '/'],
    ['/Pricing/', '/pricing'],
    ['/pricing?utm_source=x', '/pricing'],
    ['/auth', '/auth'],
    [`/free-join/${'A'.repeat(22)}`, '/free-join'],
    ['/view/golden-hour-AAAAAAAAAA', '/404'],
    ['/albums', '/404'],
    ['/@somebody', '/404'],
    ['', '/404'],
  ])('%s is %s', (path, name) => expect(namePage(path)).toBe(name));

  it.each([
    ['https://social.example/people/anna?x=1', 'https://social.example'],
    ['https://example.com/view/slug', null],
    ['javascript:alert(1)', null],
    ['android-app://com.example', null],
    ['nothing', null],
    [undefined, null],
  ])('of a way from %s it is %s', (referrer, name) => expect(nameReferrer(referrer, 'https://example.com')).toBe(name));
});

it('whatever stands in the cookie of the number, taking it back clears it', async () => {
  for (const forged of ['x%00y', '%', 'a'.repeat(4000)]) {
    const answer = await app.fastify.inject({
      method: 'POST',
      url: '/api/v1/visits/forget',
      headers: { origin: 'http://localhost:3000', host: 'localhost:3000', cookie: `vid=${forged}` },
      payload: {},
    });
    expect([forged.slice(0, 5), answer.statusCode]).toEqual([forged.slice(0, 5), 200]);
    if (forged !== '%') expect(String(answer.headers['set-cookie'])).toContain('vid=;'); // which is no cookie at all
  }
});
