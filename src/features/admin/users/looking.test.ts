import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayMs } from '#kit/time.ts';
import { openDisputeWorld } from '#tests/support/money/disputing.ts';
import {
  makeAdministrator,
  must,
  type Person,
  readRow,
  readRows,
  signInQuickly,
  signUpCreator,
} from '#tests/support/people.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let desk: Browser;
beforeAll(async () => {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  app = await openTestApp({ workJobs: false, log });
  const admin = await signUpCreator(app);
  await makeAdministrator(app, admin);
  desk = await signInQuickly(app, admin.userId);
});
afterAll(() => app.close());

const find = async (query: string) => {
  const { accounts, addresses } = await must(app, 'adminUsers.find', { query }, desk);
  return { ids: accounts.map(({ id }: { id: string }) => id).toSorted(), addresses };
};
const idsOf = (...people: Person[]) => people.map(({ userId }) => userId).toSorted();

describe('a search by a number', () => {
  it('finds who has bought and who has sold by a receipt, with an account or without', async () => {
    const world = await openDisputeWorld(app);
    const { orderId, email } = await world.sell();
    const { number } = await readRow<{ number: number }>(app, 'select number from receipts where order_id = $1', [
      orderId,
    ]);
    expect(await find(String(number))).toEqual({ ids: idsOf(world.creator), addresses: [email] });
    const buyer = await signUpCreator(app);
    await readRows(app, 'update users set email = $2 where id = $1', [buyer.userId, email]);
    expect(await find(String(number))).toEqual({ ids: idsOf(world.creator, buyer), addresses: [] });
    expect(await find(orderId)).toEqual({ ids: idsOf(world.creator, buyer), addresses: [] });
  });

  it('finds who has reported or written and has an account, also when they were signed out', async () => {
    const ana = await signUpCreator(app);
    const report = await must(
      app,
      'reports.send',
      {
        kind: 'other',
        target: 'https://example.com/somewhere',
        details: 'The second photo breaks your rules.',
        onBehalf: 'self',
        name: 'Ana Example',
        email: ana.email,
        isInGoodFaith: true,
      },
      newBrowser(),
    );
    expect(await find(report.number)).toEqual({ ids: idsOf(ana), addresses: [] });
    const words = { name: 'Ana', email: ana.email, subject: 'No code', message: 'It never came to me.' };
    const support = await must(app, 'support.send', words, newBrowser());
    expect(await find(support.number)).toEqual({ ids: idsOf(ana), addresses: [] });
  });
});

describe('an account', () => {
  it('is shown with the storage that it has for a time', async () => {
    const mia = await signUpCreator(app);
    const show = async () => (await must(app, 'adminUsers.show', { userId: mia.userId }, desk)).storage.limitBytes;
    const before = await show();
    const [now, tomorrow] = [0, dayMs].map((ms) => new Date(app.engines.clock() + ms));
    await readRows(
      app,
      'insert into storage_extras (id, user_id, bytes, created_at, ends_at) values (gen_random_uuid(), $1, 1000, $2, $3)',
      [mia.userId, now, tomorrow],
    );
    expect(await show()).toBe(before + 1000);
    app.setNow(new Date(app.engines.clock() + 2 * dayMs).toISOString());
    const later = await signInQuickly(
      app,
      (await readRow<{ id: string }>(app, 'select user_id as id from user_roles')).id,
    );
    expect((await must(app, 'adminUsers.show', { userId: mia.userId }, later)).storage.limitBytes).toBe(before);
  });
});
