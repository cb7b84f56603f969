import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { advance, type Person, signUpCreator } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { mostPresets } from './presets/preset-rules.ts';

let app: TestApp;
let mia: Person;
beforeAll(async () => {
  app = await openTestApp({ now: '2026-11-21T12:00:00Z' });
  mia = await signUpCreator(app);
});
afterAll(() => app.close());

const call = (procedure: string, input: object, { browser } = mia) => app.call(`presets.${procedure}`, input, browser);
const keep = (name: string, rules: object = {}, whose = mia) =>
  call('create', { name, rules, expiry: { kind: 'after', hours: 24 } }, whose);
const names = async (whose = mia) =>
  (await call('list', {}, whose)).body.presets.map(({ name, isDefault }: { name: string; isDefault: boolean }) =>
    isDefault ? `${name}, first` : name,
  );

describe('own presets', () => {
  it('are kept with their rules and their end, and hold no password, age or day', async () => {
    const rules = { maxVisits: 3, password: true, ageGate: false, notBefore: '2026-12-01T00:00:00Z' };
    const { body } = await keep('Three looks', rules);
    expect(body).toMatchObject({ name: 'Three looks', rules: { maxVisits: 3 }, expiry: { kind: 'after', hours: 24 } });
    for (const field of ['password', 'ageGate', 'notBefore']) expect(body.rules).not.toHaveProperty(field);
    advance(app, 1000); // the oldest stands first
    const never = await call('create', { name: 'For good', rules: {}, expiry: { kind: 'never' } });
    expect(never.body.expiry).toEqual({ kind: 'never' });
    expect(await names()).toEqual(['Three looks', 'For good']);
  });
  it('begin new links one at a time', async () => {
    const [one, other] = (await call('list', {})).body.presets;
    await call('update', { presetId: one.id, isDefault: true });
    expect(await names()).toEqual(['Three looks, first', 'For good']);
    await call('update', { presetId: other.id, isDefault: true });
    expect(await names()).toEqual(['Three looks', 'For good, first']);
    await call('update', { presetId: one.id, isDefault: false });
    expect(await names()).toEqual(['Three looks', 'For good, first']);
    await call('update', { presetId: other.id, isDefault: false });
    expect(await names()).toEqual(['Three looks', 'For good']);
  });
  it('are renamed and deleted by their creator alone', async () => {
    const eve = await signUpCreator(app);
    const [one, other] = (await call('list', {})).body.presets;
    for (const [procedure, change] of [
      ['update', { name: 'Stolen' }],
      ['update', { isDefault: true }],
      ['remove', {}],
    ] as const)
      expect((await call(procedure, { presetId: one.id, ...change }, eve)).status).toBe(404);
    expect((await call('update', { presetId: one.id, name: 'Three' })).body.name).toBe('Three');
    expect((await call('remove', { presetId: other.id })).status).toBe(200);
    expect((await call('remove', { presetId: other.id })).status).toBe(404);
    expect(await names()).toEqual(['Three']);
    expect(await names(eve)).toEqual([]);
  });
  it('are twenty at most, also for a creator who taps in two windows', async () => {
    const ann = await signUpCreator(app);
    for (let n = 1; n < mostPresets; n++) expect((await keep(`Preset ${n}`, {}, ann)).status).toBe(200);
    const last = await Promise.all(['this', 'that', 'third'].map((name) => keep(name, {}, ann)));
    expect(last.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect(await names(ann)).toHaveLength(mostPresets);
  });
  it('name neither a tier nor an agreement of somebody else, and their list stays whole', async () => {
    const eve = await signUpCreator(app);
    const { body: text } = await app.call(
      'agreements.save',
      { title: 'Rules', body: 'Mine.', asksName: false },
      mia.browser,
    );
    const { body: album } = await app.call('albums.create', { name: 'Sea', peopleConsent: 'only_me' }, mia.browser);
    const fans = { kind: 'fan_sub', tierIds: [album.id] };
    for (const rules of [{ agreementId: text.id }, { offers: [{ id: 'fans', all: [fans] }] }])
      expect((await keep('Not mine', rules, eve)).status).toBe(422);
    expect((await call('list', {}, eve)).status).toBe(200);
    expect((await keep('Mine', { agreementId: text.id })).status).toBe(200);
  });
  it('need a name that can be seen', async () => {
    expect((await keep(' \u200b ')).status).toBe(422);
    expect((await keep('x'.repeat(41))).status).toBe(422);
  });
});
