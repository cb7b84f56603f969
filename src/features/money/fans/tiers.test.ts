import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openExchangeCheck } from '#tests/support/money/exchange-check.ts';
import { countOf, type FanStage, fansToOpen, makeTier, openFanStage } from '#tests/support/money/fans.ts';
import { tapDoor } from '#tests/support/money/selling.ts';
import { listTemplates, must, signUpCreator } from '#tests/support/people.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

const check = openExchangeCheck();
let app: TestApp;
let stage: FanStage;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false, onExchange: check.receive });
  stage = await openFanStage(app);
});
afterAll(async () => {
  expect(check.faults).toEqual([]);
  await app.close();
});

describe('a tier', () => {
  it('is counted with who pays for it and what that brings a month', async () => {
    const tier = await makeTier(app, stage.creator, { name: 'Counted', priceCents: 1005 });
    await stage.makeFan({ tier, amountCents: 1005, rules: fansToOpen([tier]) });
    const { tiers } = await must(app, 'fans.tiers', {}, stage.creator.browser);
    expect(tiers.find(({ id }: { id: string }) => id === tier)).toMatchObject({ subscribers: 1, monthlyCents: 904 });
    await must(app, 'fans.stopTier', { tierId: tier }, stage.creator.browser);
  });

  it('is named by rules of its own creator alone, also after it was stopped', async () => {
    const [tier, { tierId: foreign }] = [await makeTier(app, stage.creator, { name: 'Own' }), await openFanStage(app)];
    const made = await stage.makeLink(fansToOpen([tier]));
    const change = (rules: object, more: object = {}) =>
      app.call('links.update', { linkId: made.id, rules, isLaxConfirmed: true, ...more }, stage.creator.browser);
    expect((await change(fansToOpen([tier, foreign]))).body).toMatchObject({ data: { field: 'rules.offers' } });
    const params = { albumIds: [stage.shared.albumId], rules: fansToOpen([foreign]), isLaxConfirmed: true };
    expect((await app.call('links.create', params, stage.creator.browser)).body).toMatchObject({
      data: { field: 'rules.offers' },
    });
    await must(app, 'fans.stopTier', { tierId: tier }, stage.creator.browser);
    expect((await change({ ...fansToOpen([tier]), maxVisits: 3 })).status).toBe(200);
  });

  it('that is stopped is sold no more and ends with the month that was paid', async () => {
    const tier = await makeTier(app, stage.creator, { name: 'Stopped' });
    const fan = await stage.makeFan({ tier, rules: fansToOpen([tier]) });
    await must(app, 'fans.stopTier', { tierId: tier }, stage.creator.browser);
    await stage.wait(1);
    expect(await stage.isOpen(fan.slug, fan.browser)).toBe(true);
    expect((await tapDoor(app, fan.slug, newBrowser())).body).toMatchObject({
      title: 'Not accepting payments right now',
    });
    expect(countOf(await listTemplates(app, fan.email), 'fan_cancelled')).toBe(1);
    await stage.wait(32);
    expect(await stage.isOpen(fan.slug, fan.browser)).toBe(false);
    expect(await stage.monthsOf(fan)).toHaveLength(1);
  });

  it('that costs more leaves its subscribers at their price, and tells them once', async () => {
    const tier = await makeTier(app, stage.creator, { name: 'Dearer' });
    const fan = await stage.makeFan({ tier, rules: fansToOpen([tier]) });
    await must(
      app,
      'fans.changeTier',
      { tierId: tier, name: 'Dearer', priceCents: 1499, benefits: '' },
      stage.creator.browser,
    );
    await stage.wait(1);
    await stage.wait(32);
    expect((await stage.monthsOf(fan)).map(({ amount_cents }) => amount_cents)).toEqual([999, 999]);
    expect(countOf(await listTemplates(app, fan.email), 'fan_price')).toBe(1);
    const { tiers } = await must(app, 'fans.tiers', {}, stage.creator.browser);
    expect(tiers.find(({ id }: { id: string }) => id === tier)).toMatchObject({ atLowerPrice: 1, monthlyCents: 899 });
    await must(app, 'fans.stopTier', { tierId: tier }, stage.creator.browser);
  });

  it('is one of three at most, and nobody else may change it', async () => {
    const { tiers } = await must(app, 'fans.tiers', {}, stage.creator.browser);
    const offered = tiers.filter(({ isOffered }: { isOffered: boolean }) => isOffered).length;
    const made = [];
    for (let n = offered; n < 3; n++) made.push(await makeTier(app, stage.creator, { name: `Tier ${n}` }));
    const input = { name: 'One more', priceCents: 700, benefits: '' };
    expect((await app.call('fans.createTier', input, stage.creator.browser)).body).toMatchObject({
      code: 'CONFLICT',
      message: 'You can offer up to 3 tiers at a time. Stop one of them first.',
    });
    for (const id of made) await must(app, 'fans.stopTier', { tierId: id }, stage.creator.browser);
    const stranger = await signUpCreator(app);
    const theirs = { ...input, tierId: stage.tierId };
    expect((await app.call('fans.changeTier', theirs, stranger.browser)).status).toBe(404);
    for (const priceCents of [499, 5000])
      expect((await app.call('fans.createTier', { ...input, priceCents }, stage.creator.browser)).status).toBe(422);
  });
});
