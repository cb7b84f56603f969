import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSuspend } from '#features/money/commands.ts';
import { findDrift, reconcile } from '#features/money/reconcile.ts';
import { closeSales, endForgotten } from '#features/orders/closing-sales.ts';
import { runPackRefunds } from '#features/orders/packs.ts';
import { refundOwed } from '#features/returns/refunding.ts';
import { type OpenSale, openSale, openSaleStage, paySale, type SaleStage } from '#tests/support/money/sale-scenes.ts';
import { openTakenDown } from '#tests/support/open-taken-down.ts';
import { listTemplates, must, readRow, readRows, signInQuickly } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import type { EndedSales } from './ending.ts';
import { describeSaleEnd, endedBy, type SaleEnd, type SaleKind, saleEnds } from './rules.ts';

/* Every end of every kind of sale, as the one table has them: what is paid after an end goes back at once, and nothing else can be paid. */

let app: TestApp;
let stage: SaleStage;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  app.engines.sandbox?.deliverTo(undefined);
  stage = await openSaleStage(app);
});
afterAll(() => app.close());

const linkIdsOf = (sales: readonly OpenSale[]) => sales.flatMap(({ linkId }) => linkId ?? []);
const changeLinks = async (sales: readonly OpenSale[], change: object) => {
  for (const linkId of linkIdsOf(sales)) await must(app, 'links.update', { linkId, ...change }, stage.creator.browser);
};
const suspend = async (isEnd: boolean) => {
  for (const { email } of [stage.creator, stage.buyer])
    await runSuspend(app.engines, { email, reason: isEnd ? undefined : 'Shows somebody else.', isEnd });
  for (const person of [stage.creator, stage.buyer]) person.browser = await signInQuickly(app, person.userId);
};
const changeTier = (albumIds: readonly string[]) => {
  const tier = { tierId: stage.tierId, name: 'Inner circle', benefits: '', priceCents: 999, albumIds };
  return must(app, 'fans.changeTier', tier, stage.creator.browser);
};
const setStatus = (status: string) =>
  readRows(app, 'update users set status = $2 where id = any($1::uuid[])', [
    [stage.creator.userId, stage.buyer.userId],
    status,
  ]);

interface Doer {
  begin?(): Promise<unknown>;
  end(sales: readonly OpenSale[]): Promise<unknown>;
  undo?(): Promise<unknown>;
}

/** How each end comes about, and how the stage is as it was before. */
const doers: Readonly<Record<SaleEnd, Doer>> = {
  // Nobody closes an account yet but by hand, so nobody says so.
  seller_gone: {
    end: () => setStatus('deleting').then(() => endForgotten(app.engines)),
    undo: () => setStatus('active'),
  },
  seller_suspended: { end: () => suspend(false), undo: () => suspend(true) },
  viewer_blocked: {
    async end(sales) {
      for (const { sessionId } of sales) {
        const { id } = await readRow<{ id: string }>(
          app,
          'select p.id from checkout_orders o join viewer_pseudonyms p using (creator_id, viewer_id) where o.session_id = $1',
          [sessionId],
        );
        await must(app, 'tracing.blockViewer', { viewerId: id }, stage.creator.browser);
      }
    },
  },
  taken_down: {
    async end(sales) {
      for (const { slug } of sales) {
        const about = {
          kind: 'intimate',
          target: `http://localhost:3000/view/${slug}`,
          details: 'The second photo shows me, and I never agreed.',
        };
        const who = { onBehalf: 'self', name: 'Ana Example', email: 'ana@example.com', isInGoodFaith: true };
        await must(
          app,
          'reports.send',
          { ...about, ...who },
          { cookies: new Map(), address: `10.9.0.${sales.findIndex((one) => one.slug === slug)}` },
        );
      }
    },
    undo: () => openTakenDown(app),
  },
  album_deleted: {
    begin: () => changeTier([stage.albumIds[0]]),
    end: () => must(app, 'albums.remove', { albumId: stage.albumIds[0] }, stage.creator.browser),
    async undo() {
      await must(app, 'albums.restore', { albumId: stage.albumIds[0] }, stage.creator.browser);
      await changeTier([]);
    },
  },
  link_revoked: { end: (sales) => must(app, 'links.revoke', { linkIds: linkIdsOf(sales) }, stage.creator.browser) },
  link_free: { end: (sales) => changeLinks(sales, { rules: { ageGate: false } }) },
  link_expired: {
    async end(sales) {
      await readRows(app, 'update magic_links set expires_at = $2 where id = any($1::uuid[])', [
        linkIdsOf(sales),
        new Date(app.engines.clock()),
      ]);
      await endForgotten(app.engines);
    },
  },
  tier_stopped: {
    end: () => must(app, 'fans.stopTier', { tierId: stage.tierId }, stage.creator.browser),
    undo: () => must(app, 'fans.resumeTier', { tierId: stage.tierId }, stage.creator.browser),
  },
  tier_changed: { end: () => changeTier([stage.albumIds[1]]), undo: () => changeTier([]) },
  page_closed: {
    end: () => must(app, 'accounts.setPublicPage', { isOn: false }, stage.creator.browser),
    undo: () => must(app, 'accounts.setPublicPage', { isOn: true }, stage.creator.browser),
  },
  request_changed: {
    async end(sales) {
      for (const { requestId } of sales) await must(app, 'requests.decline', { requestId }, stage.creator.browser);
    },
  },
};

const tables: Readonly<Partial<Record<SaleKind, string>>> = { credits: 'credit_orders', plan: 'plan_checkouts' };
const rowOf = ({ kind, sessionId }: OpenSale) =>
  readRow<{ id: string; state: string; why: string | null }>(
    app,
    `select id, state, ended_why as why from ${tables[kind] ?? 'checkout_orders'} where session_id = $1`,
    [sessionId],
  );
/** The jobs that were written with the ends, each once. */
async function takeJobs(): Promise<EndedSales[]> {
  const rows = await readRows<{ data: EndedSales }>(
    app,
    `delete from pgboss.job where name = 'sales.end' returning data`,
  );
  return rows.map(({ data }) => data);
}
const runJobs = async () => {
  for (const job of await takeJobs()) await closeSales(app.engines, job);
};
const openAll = async (end: SaleEnd): Promise<OpenSale[]> => {
  const sales: OpenSale[] = [];
  for (const kind of endedBy[end]) sales.push(await openSale(app, stage, kind));
  return sales;
};
const statusOf = (sale: OpenSale) =>
  sale.kind === 'request'
    ? must(app, 'requests.paid', { sessionId: sale.sessionId }, sale.browser)
    : must(app, 'viewing.checkoutStatus', { sessionId: sale.sessionId }, sale.browser);
const isOfCreator = ({ kind }: OpenSale) => kind !== 'credits' && kind !== 'plan';

/** Brings an end about, and whatever goes wrong then, the stage is as it was before for the next one. */
async function whileEnded(end: SaleEnd, sales: readonly OpenSale[], run: () => Promise<void>): Promise<void> {
  try {
    await doers[end].end(sales);
    await run();
  } finally {
    await doers[end].undo?.();
  }
}

describe.each(saleEnds)('%s', (end) => {
  it(`sends back at once what is paid for ${endedBy[end].join(', ')} after it, and says so`, async () => {
    await doers[end].begin?.();
    const sales = await openAll(end);
    await whileEnded(end, sales, async () => {
      for (const sale of sales) expect([sale.kind, (await rowOf(sale)).why]).toEqual([sale.kind, end]);
      for (const sale of sales) await paySale(app, sale);
    });
    for (const sale of sales.filter(isOfCreator)) {
      const { ended, state, viewPath } = await statusOf(sale);
      expect([sale.kind, state, viewPath && end]).toEqual([
        sale.kind,
        'returned',
        end === 'link_free' ? end : undefined,
      ]);
      expect(ended.text).toContain(describeSaleEnd(end));
      expect(ended.text).toContain('goes back to your card');
    }
    await runJobs();
    await refundOwed(app.engines);
    await runPackRefunds(app.engines);
    for (const sale of sales.filter(isOfCreator)) {
      expect([sale.kind, (await rowOf(sale)).state]).toEqual([sale.kind, 'refunded']);
      const templates = await listTemplates(app, sale.email);
      expect([sale.kind, templates.filter((name) => /receipt|payment|refund|fan/.test(name))]).toEqual([
        sale.kind,
        ['payment_late'],
      ]);
    }
    const fans = await readRows(app, 'select from fan_subscriptions where ended_at is null');
    expect(fans).toEqual([]);
    if (endedBy[end].includes('credits')) await expectOwnReturned(sales);
  });

  it('closes at the provider what nobody has paid, by the job that was written with it', async () => {
    await doers[end].begin?.();
    const [kind = 'link_tip'] = endedBy[end];
    const sales = [await openSale(app, stage, kind)];
    if (endedBy[end].includes('credits'))
      for (const own of ['credits', 'plan'] as const) sales.push(await openSale(app, stage, own));
    await takeJobs();
    await whileEnded(end, sales, async () => {
      const { findCheckout } = app.engines.payments;
      for (const { sessionId } of sales) expect((await findCheckout(sessionId)).state).toBe('open');
      await runJobs();
      for (const { sessionId } of sales) expect((await findCheckout(sessionId)).state).toBe('expired');
    });
    const [sale] = sales;
    if (sale === undefined) throw new Error('nothing is for sale');
    const { state, ended } = await statusOf(sale);
    expect([state, ended]).toEqual([
      'failed',
      { title: 'No longer for sale', text: `${describeSaleEnd(end)} Nothing was charged.` },
    ]);
  });
});

/** What the buyer of credits and of a plan has paid goes back, and gives them nothing. */
async function expectOwnReturned(sales: readonly OpenSale[]): Promise<void> {
  const [credits, plan] = (['credits', 'plan'] as const).map((kind) => sales.find((sale) => sale.kind === kind));
  if (credits === undefined || plan === undefined) throw new Error('nothing was bought of the platform');
  expect((await rowOf(credits)).state).toBe('refunded');
  const { id } = await rowOf(plan);
  const sql = 'select status, ended_at is not null as "isOver" from platform_subscriptions where checkout_id = $1';
  expect(await readRow(app, sql, [id])).toEqual({ status: 'canceled', isOver: true });
}

it('leaves the books even: nobody has earned anything, and every cent is accounted for', async () => {
  await reconcile(app.engines);
  expect(await findDrift(app.engines)).toEqual([]);
  const { earnings, balance } = await must(app, 'money.earnings', {}, stage.creator.browser);
  expect([earnings.lifetimeEarned, balance.available + balance.pending]).toEqual([0, 0]);
});
