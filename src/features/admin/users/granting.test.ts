import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dayMs } from '#kit/time.ts';
import {
  listTemplates,
  makeAdministrator,
  must,
  type Person,
  readRows,
  signInQuickly,
  signUpCreator,
} from '#tests/support/people.ts';
import { type Browser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let admin: Person;
let mia: Person;
let desk: Browser;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  app.setNow('2026-11-30T12:00:00Z');
  admin = await signUpCreator(app);
  await makeAdministrator(app, admin);
});
afterAll(() => app.close());
beforeEach(async () => {
  await readRows(app, `update user_roles set scopes = '{owner}'`);
  desk = await signInQuickly(app, admin.userId);
  mia = await signUpCreator(app);
});

const show = () => must(app, 'adminUsers.show', { userId: mia.userId }, desk);
const grant = (more: object) =>
  app.call('adminUsers.grantAccess', { userId: mia.userId, what: 'free', days: null, isEnd: false, ...more }, desk);
const give = (credits: number, giftId = randomUUID()) =>
  app.call('adminUsers.grantCredits', { userId: mia.userId, credits, note: 'For the trouble.', giftId }, desk);

describe('what an owner gives an account free of charge', () => {
  it('is free access for some days, told by email, until it is ended', async () => {
    expect((await grant({ days: 30 })).status).toBe(200);
    const freeUntil = new Date(app.engines.clock() + 30 * dayMs);
    expect((await show()).plan).toMatchObject({ isFree: true, freeUntil: freeUntil.toISOString() });
    expect(await listTemplates(app, mia.email)).toContain('access_granted');
    expect((await grant({ isEnd: true })).status).toBe(200);
    expect((await show()).plan).toMatchObject({ isFree: false });
    const audited = await readRows(
      app,
      `select action, actor_id from audit_log where target_id = $1 and action like 'access.%' order by id`,
      [mia.userId],
    );
    expect(audited).toEqual([
      { action: 'access.granted', actor_id: admin.userId },
      { action: 'access.ended', actor_id: admin.userId },
    ]);
  });

  it('is the suite and what is new', async () => {
    for (const what of ['suite', 'beta']) await grant({ what });
    expect((await show()).entitlements).toEqual({ suite: true, beta: true });
    await grant({ what: 'suite', isEnd: true });
    expect((await show()).entitlements).toEqual({ suite: false, beta: true });
  });

  it('is credits, the same gift once', async () => {
    const giftId = randomUUID();
    const before = (await show()).credits;
    const answers = await Promise.all([give(20, giftId), give(20, giftId), give(20, giftId)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await show()).credits).toBe(before + 20);
    await give(5);
    expect((await show()).credits).toBe(before + 25);
    const rows = await readRows(
      app,
      `select details from audit_log where target_id = $1 and action = 'credits.granted' order by id`,
      [mia.userId],
    );
    expect(rows).toMatchObject([{ details: { credits: 20 } }, { details: { credits: 5 } }]);
    expect((await give(0)).status).toBe(422);
    expect((await give(100_001)).status).toBe(422);
  });

  it("is an owner's alone, and their sales are for who sees to money", async () => {
    expect((await show()).salesCents).toBe(0);
    await readRows(app, `update user_roles set scopes = '{support,moderation}'`);
    expect([(await grant({})).status, (await give(1)).status]).toEqual([403, 403]);
    expect((await show()).salesCents).toBeNull();
    await readRows(app, `update user_roles set scopes = '{support,finance}'`);
    expect((await show()).salesCents).toBe(0);
  });
});
