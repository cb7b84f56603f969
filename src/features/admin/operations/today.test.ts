import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepEvents } from '#features/money/webhooks/inbox-store.ts';
import { dayMs } from '#kit/time.ts';
import { type DisputeWorld, openDisputeWorld } from '#tests/support/money/disputing.ts';
import { makeAdministrator, must, readRow, readRows, signInQuickly, signUpCreator } from '#tests/support/people.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let world: DisputeWorld;
let adminId: string;
beforeAll(async () => {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  app = await openTestApp({ workJobs: false, log });
  world = await openDisputeWorld(app);
  const admin = await signUpCreator(app);
  await makeAdministrator(app, admin);
  adminId = admin.userId;
});
afterAll(() => app.close());

const now = () => new Date(app.engines.clock());
const showToday = async () => must(app, 'adminOperations.today', {}, await signInQuickly(app, adminId));
const waiting = async () => {
  const today = await showToday();
  return { ...today.waiting, ...today.money.waiting };
};

describe('what waits on the first page', () => {
  it('is a dispute until it is answered, with the day of the first', async () => {
    const disputeId = await world.dispute(await world.sell());
    const { dueBy } = await readRow<{ dueBy: Date }>(app, 'select due_by as "dueBy" from disputes');
    expect(await waiting()).toMatchObject({ disputes: 1, disputesDueBy: dueBy.toISOString() });
    await world.decide(disputeId, true);
    expect(await waiting()).toMatchObject({ disputes: 0, disputesDueBy: null });
  });

  it('is a buyer who asks the platform for their money', async () => {
    const { orderId } = await world.sell();
    await readRows(
      app,
      `insert into refund_requests (id, order_id, creator_id, kind, reason, state, created_at, answer_until)
       values (gen_random_uuid(), $1, $2, 'refund', 'not_delivered', 'creator', $3, $4)`,
      [orderId, world.creator.userId, now(), new Date(app.engines.clock() + dayMs)],
    );
    expect(await waiting()).toMatchObject({ refundRequests: 0 });
    await readRows(app, `update refund_requests set state = 'operator', answer_until = null`);
    expect(await waiting()).toMatchObject({ refundRequests: 1 });
  });

  it('is an appeal, though its report is decided', async () => {
    expect(await waiting()).toMatchObject({ reports: 0, appeals: 0, overdueAppeals: 0 });
    const { slug } = await world.shared.makeLink();
    const { number } = await must(
      app,
      'reports.send',
      {
        kind: 'other',
        target: slug,
        details: 'The second photo breaks your rules.',
        onBehalf: 'self',
        name: 'Ana Example',
        email: 'ana@example.com',
        isInGoodFaith: true,
      },
      newBrowser(),
    );
    const desk = await signInQuickly(app, adminId);
    await must(app, 'adminReports.decide', { number, isRemoved: true, reason: 'It does.' }, desk);
    const creator = await signInQuickly(app, world.creator.userId);
    const text = 'It is my own picture, and it breaks nothing.';
    await must(app, 'reports.respond', { number, kind: 'appeal', text }, creator);
    expect(await waiting()).toMatchObject({ reports: 0, appeals: 1, overdueAppeals: 0 });
    await readRows(app, 'update report_answers set decide_by = $1', [new Date(app.engines.clock() - 1)]);
    expect(await waiting()).toMatchObject({ appeals: 1, overdueAppeals: 1 });
  });

  it('is an upload that is held back as a copy, until it is released', async () => {
    const [medium] = await readRows<{ id: string }>(app, 'select id from media order by id limit 1');
    await readRows(app, `update media set state = 'quarantined', fail_code = 'HASH_MATCH' where id = $1`, [medium?.id]);
    await readRows(
      app,
      `insert into media_matches (media_id, source, is_exact, matched_at) values ($1, 'list', true, $2)
       on conflict (media_id) do update set source = 'list', report_id = null`,
      [medium?.id, now()],
    );
    expect(await waiting()).toMatchObject({ heldCopies: 1 });
    await must(
      app,
      'adminReports.release',
      { mediaId: medium?.id, reason: 'Another one.' },
      await signInQuickly(app, adminId),
    );
    expect(await waiting()).toMatchObject({ heldCopies: 0 });
  });

  it('is an album that a withdrawn consent has locked, once its creator says that the pictures are gone', async () => {
    const { albumId, creator } = world.shared;
    await readRows(
      app,
      `insert into co_performers (id, album_id, user_id, name, email_hash, consent_state, token_hash, requested_at, at, given_at, typed_name, agreed_words)
       values (gen_random_uuid(), $1, $2, 'Lena', 'x', 'withdrawn', '\\x00', $3, $3, $3, 'Lena Berg', 'I agree')`,
      [albumId, creator.userId, now()],
    );
    expect(await waiting()).toMatchObject({ lockedAlbums: 0 });
    await readRows(app, 'update co_performers set pictures_gone_at = $1', [now()]);
    expect(await waiting()).toMatchObject({ lockedAlbums: 1 });
  });

  it('is what the provider has told and nobody could act upon, not what has just come', async () => {
    const event = {
      eventId: 'evt_waiting',
      type: 'charge.updated',
      objectId: 'ch_unknown',
      accountId: undefined,
      livemode: false,
      createdAt: now(),
      isActedUpon: true,
    };
    await app.engines.database.work({ kind: 'system' }, (tx) =>
      keepEvents(tx, app.engines.payments.realm, [{ hook: 'stripe', at: now(), event }]),
    );
    const { providerEvents } = await waiting();
    await readRows(app, `update webhook_inbox set attempts = 3 where event_id = 'evt_waiting'`);
    expect((await waiting()).providerEvents).toBe(providerEvents + 1);
  });

  it('is who wants to be a partner', async () => {
    const { partnerApplications } = await waiting();
    const form = {
      name: 'Jo Rivers',
      email: 'jo@example.com',
      audience: 'A newsletter about safety online',
      marksAds: true,
    };
    await must(app, 'affiliates.apply', form, newBrowser());
    expect((await waiting()).partnerApplications).toBe(partnerApplications + 1);
  });
});

describe('how the business goes', () => {
  it('is what plans bring, who stays after a trial, who is active, what is disputed and what mail comes back', async () => {
    const before = await showToday();
    const { userId, browser } = await signUpCreator(app);
    await must(app, 'albums.create', { name: 'New', peopleConsent: 'only_me' }, browser);
    await readRows(app, 'update users set trial_ends_at = $2 where id = $1', [
      userId,
      new Date(now().getTime() - dayMs),
    ]);
    const { provider, livemode } = app.engines.payments.realm;
    const subscribe = (more: { isPaused: boolean; isEnding: boolean; status: string }) =>
      readRows(
        app,
        `insert into platform_subscriptions (id, provider, livemode, user_id, subscription_id, customer_id, status, is_paused, amount_cents,
          currency, cancel_at_period_end, first_paid_at, synced_at, created_at)
         values (gen_random_uuid(), $1, $2, $3, gen_random_uuid(), 'cus', $4, $5, 399, 'usd', $6, $7, $7, $7)`,
        [provider, livemode, userId, more.status, more.isPaused, more.isEnding, now()],
      );
    await subscribe({ status: 'active', isPaused: false, isEnding: false });
    await subscribe({ status: 'past_due', isPaused: false, isEnding: true });
    await subscribe({ status: 'active', isPaused: true, isEnding: false });
    await subscribe({ status: 'trialing', isPaused: false, isEnding: false });
    await readRows(app, `update mail_outbox set state = 'sent'`);
    await readRows(app, `update mail_outbox set state = 'bounced' where id = (select id from mail_outbox limit 1)`);
    const after = await showToday();
    expect(after.money.recurringCents - before.money.recurringCents).toBe(798);
    expect(after.money.endingCents - before.money.endingCents).toBe(399);
    expect(after.money.trialsPaid.part.now - before.money.trialsPaid.part.now).toBe(1);
    expect(after.money.trialsPaid.whole.now - before.money.trialsPaid.whole.now).toBe(1);
    expect(after.activeCreators.now - before.activeCreators.now).toBe(1);
    expect(after.money.disputed.part.now).toBe(1);
    expect(after.money.disputed.whole.now).toBeGreaterThan(1);
    expect(after.emailsReturned.part.now).toBe(1);
    expect(after.emailsReturned.whole.now).toBeGreaterThan(1);
    expect(after.disk).toMatchObject({ light: expect.any(String), finding: expect.any(String) });
  });
});
