import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { makeAdministrator, must, type Person, readRows, signInQuickly, signUpCreator } from '#tests/support/people.ts';
import { type Browser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import type { ListedClaim } from '../contract.ts';

let app: TestApp;
let admin: Person;
let desk: Browser;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false, isLive: true });
  app.setNow('2027-01-04T12:00:00Z');
  admin = await signUpCreator(app, { email: 'admin@example.com' });
  await makeAdministrator(app, admin);
});
afterAll(() => app.close());
beforeEach(async () => {
  desk = await signInQuickly(app, admin.userId);
});

const listed = async (key: string): Promise<ListedClaim> => {
  const { claims } = await must(app, 'adminClaims.list', {}, desk);
  return claims.find((claim: ListedClaim) => claim.key === key);
};
const confirm = (order: object) =>
  app.call('adminClaims.confirm', { key: 'hero.creators', source: 'Counted', until: null, ...order }, desk);

it('an owner stands up for a claim until a day, and public pages show it; withdrawn, they do not', async () => {
  expect(await listed('hero.creators')).toMatchObject({
    kind: 'operator',
    place: 'hero',
    figure: '5,247',
    state: 'not_confirmed',
    isShown: false,
    confirmation: null,
    measured: '1 creator',
  });
  expect((await confirm({ until: '2027-02-01' })).status).toBe(200);
  expect(await listed('hero.creators')).toMatchObject({
    state: 'confirmed',
    isShown: true,
    confirmation: { source: 'Counted', checkedBy: 'admin@example.com', expiresAt: '2027-02-01T00:00:00.000Z' },
  });
  const shown = async () => (await app.call('marketing.facts')).body.claims.length;
  await expect.poll(shown).toBe(1);
  app.setNow('2027-02-01T00:00:00Z');
  desk = await signInQuickly(app, admin.userId);
  expect(await listed('hero.creators')).toMatchObject({ state: 'ended', isShown: false });
  expect((await app.call('adminClaims.withdraw', { key: 'hero.creators' }, desk)).status).toBe(200);
  expect((await app.call('adminClaims.withdraw', { key: 'hero.creators' }, desk)).status).toBe(409);
  expect((await listed('hero.creators')).confirmation).toBeNull();
  const audited = `select actor_id, action, details from audit_log where action like 'claim.%' order by id`;
  expect(await readRows(app, audited)).toEqual([
    { actor_id: admin.userId, action: 'claim.confirmed', details: { key: 'hero.creators' } },
    { actor_id: admin.userId, action: 'claim.withdrawn', details: { key: 'hero.creators' } },
  ]);
});

it('what cannot be stood up for is refused in a sentence', async () => {
  for (const [order, status, words] of [
    [{ key: 'no.such' }, 404, "doesn't exist"],
    [{ source: '  ' }, 422, 'Say where it can be checked'],
    [{ until: '2027-01-04' }, 422, 'still to come'],
    [{ until: 'soon' }, 422, 'Enter a day'],
  ] as const) {
    const { status: heard, body } = await confirm(order);
    expect([heard, body.message], JSON.stringify(order)).toEqual([status, expect.stringContaining(words)]);
  }
});

it('what follows from the settings is listed as computed, and always shown', async () => {
  const { claims } = await must(app, 'adminClaims.list', {}, desk);
  const computed = claims.filter(({ kind }: ListedClaim) => kind === 'computed');
  expect(computed.length).toBe(9);
  expect(computed.every(({ isShown, state }: ListedClaim) => isShown && state === 'computed')).toBe(true);
});
