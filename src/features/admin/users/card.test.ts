import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Tx } from '#engines/database/work.ts';
import { payCreators } from '#features/money/paying-out.ts';
import { holdByHand, releaseByHand } from '#features/payouts/deciding-holds.ts';
import { dayMs } from '#kit/time.ts';
import { type DisputeWorld, openDisputeWorld } from '#tests/support/money/disputing.ts';
import { proveSeller } from '#tests/support/money/selling.ts';
import { makeAdministrator, must, type Person, readRows, signInQuickly, signUpCreator } from '#tests/support/people.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let admin: Person;
let world: DisputeWorld;
let desk: Browser;
beforeAll(async () => {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  app = await openTestApp({ workJobs: false, log });
  app.setNow('2026-11-30T12:00:00Z');
  admin = await signUpCreator(app);
  await makeAdministrator(app, admin);
  world = await openDisputeWorld(app);
  await proveSeller(app, world.creator);
});
afterAll(() => app.close());
beforeEach(() => setScopes('support'));

const setScopes = async (...scopes: string[]) => {
  await readRows(app, 'update user_roles set scopes = $1 where user_id = $2', [scopes, admin.userId]);
  desk = await signInQuickly(app, admin.userId);
};
const by = { actor: { type: 'system' } } as const;
const asSystem = <T>(run: (tx: Tx) => Promise<T>) => app.engines.database.work({ kind: 'system' }, run);
const show = async ({ userId }: Pick<Person, 'userId'>) => must(app, 'adminUsers.show', { userId }, desk);

describe('the card of an account', () => {
  it('has what was reported of what they share and what their address has reported, by number and state', async () => {
    const ana = await signUpCreator(app);
    const { slug } = await world.shared.makeLink({}, { expiry: { kind: 'never' } });
    const { number } = await must(
      app,
      'reports.send',
      {
        kind: 'other',
        target: `${app.engines.installation.publicUrl}/view/${slug}`,
        details: 'The second photo breaks your rules.',
        onBehalf: 'self',
        name: 'Ana Example',
        email: ana.email.toUpperCase(),
        isInGoodFaith: true,
      },
      newBrowser(),
    );
    const report = { number, kind: 'other', state: 'received' };
    expect((await show(world.creator)).reports).toMatchObject({ against: [report], by: [] });
    const { reports } = await show(ana);
    expect(reports).toMatchObject({ against: [], by: [report] });
    expect(JSON.stringify(reports)).not.toContain('second photo');
  });

  it('has their money for who sees to money, and for nobody else', async () => {
    expect((await show(world.creator)).money).toBeNull();
    await setScopes('support', 'finance');
    expect((await show(await signUpCreator(app))).money).toEqual({
      availableCents: 0,
      pendingCents: 0,
      dueCents: 0,
      paidOutCents: 0,
      currency: 'usd',
      holds: [],
      payouts: [],
    });
    await world.sell();
    const { payee, ...before } = await balances();
    expect(before.pendingCents).toBeGreaterThan(0);
    expect(before).toMatchObject({ pendingCents: payee.pending, availableCents: payee.available, paidOutCents: 0 });
    app.setNow(new Date(app.engines.clock() + 14 * dayMs).toISOString());
    await payCreators(app.engines);
    await setScopes('support', 'finance');
    expect((await show(world.creator)).money).toMatchObject({ holds: ['REVIEW_NEW'], payouts: [] });
    await asSystem((tx) => releaseByHand(app.engines, tx, { userId: world.creator.userId, note: '' }, by));
    await payCreators(app.engines);
    await setScopes('support', 'finance');
    const { money } = await show(world.creator);
    expect(money).toMatchObject({ availableCents: 0, pendingCents: 0, paidOutCents: before.pendingCents });
    expect(money.payouts).toMatchObject([{ amountCents: before.pendingCents, currency: 'usd' }]);
  });

  it('says why nothing is paid out', async () => {
    await setScopes('support', 'finance');
    const hold = { userId: world.creator.userId, reason: 'SANCTIONS', note: 'A letter.' } as const;
    await asSystem((tx) => holdByHand(app.engines, tx, hold, by));
    expect((await show(world.creator)).money.holds).toEqual(['SANCTIONS']);
  });
});

async function balances() {
  const { money } = await show(world.creator);
  const { available, pending } = await must(app, 'money.payouts', {}, world.creator.browser);
  return {
    ...money,
    payee: { available, pending: pending.reduce((sum: number, { cents }: { cents: number }) => sum + cents, 0) },
  };
}
