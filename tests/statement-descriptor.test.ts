import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reconcile, settleOpen } from '#features/money/reconcile.ts';
import { listEmails } from '#features/notices/store.ts';
import { settleOpenPacks } from '#features/orders/packs.ts';
import { syncPlanSession } from '#features/plans/sync-plan.ts';
import { type SaleKind, saleKinds } from '#features/sales/rules.ts';
import { settingRules } from '#features/settings/rules.ts';
import { writeSetting } from '#features/settings/store.ts';
import { type OpenSale, openSale, openSaleStage, paySale, type SaleStage } from '#tests/support/money/sale-scenes.ts';
import { payToOpen, tapDoor } from '#tests/support/money/selling.ts';
import { must } from '#tests/support/people.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

/* What a buyer will find on their card statement is said before, after and in every email of a payment, as the setting has it. */

const chosen = 'QUIET SHOP 24';
const system = { kind: 'system' } as const;
let app: TestApp;
let stage: SaleStage;
const sales = new Map<SaleKind, OpenSale>();
const saleOf = (kind: SaleKind) => sales.get(kind) as OpenSale;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  const now = new Date(app.engines.clock());
  await app.engines.database.work(system, (tx) =>
    writeSetting(tx, { key: 'money.statementDescriptor', value: chosen, by: null, now }),
  );
  stage = await openSaleStage(app);
  for (const kind of saleKinds) {
    const sale = await openSale(app, stage, kind);
    sales.set(kind, sale);
    await paySale(app, sale);
  }
  await settleOpen(app.engines, 0);
  await settleOpenPacks(app.engines, 0);
  await syncPlanSession(app.engines, saleOf('plan').sessionId);
  await reconcile(app.engines);
});
afterAll(() => app.close());

/** Everything that was mailed of a template. */
const mailed = async (template: string): Promise<string[]> =>
  (await app.engines.database.work(system, (tx) => listEmails(tx, 1000)))
    .filter((email) => email.template === template)
    .map(({ text }) => text ?? '');

it('is told at the door of a link that asks for money, and on a creator’s page', async () => {
  const { slug } = await stage.shared.makeLink(payToOpen(1000));
  const { body } = await tapDoor(app, slug, newBrowser());
  expect(body.sale).toMatchObject({ statementDescriptor: chosen });
  const page = await app.fastify.inject({ url: `/@${stage.handle}` });
  expect(page.body).toContain(`&quot;statementDescriptor&quot;:&quot;${chosen}&quot;`);
});

it('is told on the page after each payment of a viewer, on its receipt, and where custom work is followed', async () => {
  for (const kind of saleKinds.slice(0, 6)) {
    const { sessionId, browser } = saleOf(kind);
    const status = await must(app, 'viewing.checkoutStatus', { sessionId }, browser);
    expect([kind, status.state, status.statementDescriptor]).toEqual([kind, 'done', chosen]);
    const receipt = await must(app, 'money.receipt', { code: status.receiptPath.split('/').at(-1) }, browser);
    expect([kind, receipt.statementDescriptor]).toEqual([kind, chosen]);
  }
  const { sessionId, browser } = saleOf('request');
  const paid = await must(app, 'requests.paid', { sessionId }, browser);
  expect(paid).toMatchObject({ state: 'paid', statementDescriptor: chosen });
  const code = paid.path.split('/').at(-1);
  expect(await must(app, 'requests.show', { code }, browser)).toMatchObject({ statementDescriptor: chosen });
});

it('is told in the receipt of everything that is sold, and when money goes back', async () => {
  const said = `Your card statement shows ${chosen}.`;
  for (const [template, count] of [
    ['receipt', 7],
    ['pack_receipt', 1],
    ['plan_receipt', 1],
  ] as const) {
    const texts = await mailed(template);
    expect([template, texts.length, texts.filter((text) => !text.includes(said))]).toEqual([template, count, []]);
  }
  const [row] = (await must(app, 'money.listEarnings', {}, stage.creator.browser)).rows;
  await must(app, 'money.refund', { orderId: row.orderId }, stage.creator.browser);
  expect(await mailed('order_refunded')).toEqual([expect.stringContaining(`whose statement shows ${chosen}.`)]);
});

it('is what Sofia answers to whoever asks', async () => {
  const ask = { message: 'What do buyers see on their card statement?', isAuthenticated: true };
  const said = await must(app, 'assistant.chat', ask, stage.creator.browser);
  expect(JSON.stringify(said)).toContain(chosen);
});

it('stands nowhere in the code but in the setting, and at the provider that we play', () => {
  const root = path.resolve(import.meta.dirname, '../src');
  const usual = settingRules['money.statementDescriptor'].default;
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  const saying = files.filter((file) => readFileSync(path.join(root, file), 'utf8').includes(usual));
  expect(saying.filter((file) => !file.includes('.test.')).sort()).toEqual([
    'engines/payments/sandbox/objects.ts',
    'engines/payments/sandbox/plan-objects.ts',
    'features/settings/rules.ts',
  ]);
});
