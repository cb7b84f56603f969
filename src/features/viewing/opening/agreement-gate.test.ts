import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { advance, must, signUpCreator } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedAlbum;
beforeAll(async () => {
  app = await openTestApp();
  shared = await shareAlbum(app, { count: 1 });
});
afterAll(() => app.close());

type Link = { id: string; slug: string };
interface Written {
  id: string;
  familyId: string;
  version: number;
}
const write = (more: object = {}, browser = shared.creator.browser): Promise<Written> =>
  must(app, 'agreements.save', { title: 'House rules', body: 'Keep it\nto yourself.', ...more }, browser);
const open = ({ slug }: Link, body: object, browser: Browser) => shared.viewerApi.tap(slug, body, browser);
const agree = (link: Link, { id }: Written, browser: Browser, name?: string) =>
  open(link, { agreed: { agreementId: id, ...(name !== undefined && { name }) } }, browser);
const whoAgreed = async (link: Link) =>
  (await must(app, 'agreements.accepted', { linkId: link.id }, shared.creator.browser)).acceptances;

describe('a link with an agreement', () => {
  it('shows the text, opens once it is agreed to, and never asks this viewer again', async () => {
    const rules = await write();
    const link = await shared.makeLink({ agreementId: rules.id });
    const browser = newBrowser();
    expect((await open(link, {}, browser)).refusal).toMatchObject({
      reason: 'NEED_AGREEMENT',
      agreement: { id: rules.id, title: 'House rules', body: 'Keep it\nto yourself.', asksName: false },
    });
    expect((await agree(link, rules, browser)).head?.visitId).toBeDefined();
    expect((await open(link, {}, browser)).head?.visitId).toBeDefined();
    expect((await open(link, {}, newBrowser())).refusal?.reason).toBe('NEED_AGREEMENT');
  });

  it('asks for a name where its creator wants one, and tells who agreed, when and under which name', async () => {
    const rules = await write({ asksName: true });
    const link = await shared.makeLink({ agreementId: rules.id });
    const browser = newBrowser();
    expect((await agree(link, rules, browser)).refusal?.agreement?.asksName).toBe(true);
    expect((await agree(link, rules, browser, '  ')).refusal?.reason).toBe('NEED_AGREEMENT');
    expect((await agree(link, rules, browser, 'x'.repeat(101))).status).toBe(422);
    expect(await whoAgreed(link)).toEqual([]);
    expect((await agree(link, rules, browser, ' Lena Weber ')).head?.visitId).toBeDefined();
    expect(await whoAgreed(link)).toMatchObject([
      {
        viewer: expect.stringMatching(/^Viewer [0-9A-F]{4}$/),
        typedName: 'Lena Weber',
        title: 'House rules',
        version: 1,
        at: new Date(app.engines.linkClock()).toISOString(),
      },
    ]);
  });

  it('is kept once it is passed, also when the link does not open yet, and said only once', async () => {
    const rules = await write({ asksName: true });
    const link = await shared.makeLink({ agreementId: rules.id, maxViewers: 1 });
    const [first, second] = [newBrowser(), newBrowser()];
    await open(link, {}, first);
    await open(link, {}, second);
    expect((await agree(link, rules, first, 'Ann')).head?.visitId).toBeDefined();
    expect((await agree(link, rules, second, 'Bob')).refusal?.reason, 'full, which is told to nobody').toBe(
      'NOT_FOUND',
    );
    await agree(link, rules, first, 'Another');
    expect((await whoAgreed(link)).map(({ typedName }: { typedName: string }) => typedName).toSorted()).toEqual([
      'Ann',
      'Bob',
    ]);
  });

  it('asks again for a changed text, at the next lease and at the door, and takes no yes to the old one', async () => {
    const rules = await write();
    const link = await shared.makeLink({ agreementId: rules.id });
    const browser = newBrowser();
    const { head } = await agree(link, rules, browser);
    const second = await write({ familyId: rules.familyId, body: 'Keep it to yourself, and tell no one.' });
    expect(second).toMatchObject({ familyId: rules.familyId, version: 2 });
    const renew = () => app.call('viewing.renew', { visitId: head?.visitId, samples: [], idleMs: 0 }, browser);
    expect((await renew()).status, 'a link asks for the version it was given').toBe(200);
    const changed = { linkId: link.id, rules: { ageGate: false, agreementId: second.id } };
    await must(app, 'links.update', changed, shared.creator.browser);
    expect((await renew()).body.data).toMatchObject({ reason: 'NEED_AGREEMENT' });
    expect((await agree(link, rules, browser)).refusal?.agreement?.id).toBe(second.id);
    await advance(app, 1000);
    expect((await agree(link, second, browser)).head?.visitId).toBeDefined();
    expect((await whoAgreed(link)).map(({ version }: Written) => version)).toEqual([2, 1]);
  });
});

describe('agreements', () => {
  it('are listed in their newest version, and only to who wrote them', async () => {
    const other = await signUpCreator(app);
    const one = await write({ title: 'First' }, other.browser);
    await write({ title: 'Second', familyId: one.familyId }, other.browser);
    const { agreements } = await must(app, 'agreements.list', {}, other.browser);
    expect(agreements).toMatchObject([{ title: 'Second', version: 2 }]);
    expect(
      (await app.call('agreements.save', { title: 'Mine', body: 'x', familyId: one.familyId }, shared.creator.browser))
        .status,
    ).toBe(404);
  });

  it('are asked for by the links of who wrote them alone', async () => {
    const other = await signUpCreator(app);
    const foreign = await write({}, other.browser);
    const rules = { ageGate: false, agreementId: foreign.id };
    const made = await app.call('links.create', { albumIds: [shared.albumId], rules }, shared.creator.browser);
    expect([made.status, made.body.data.field]).toEqual([422, 'rules.agreementId']);
    const own = await write();
    const link = await shared.makeLink({ agreementId: own.id });
    const changed = await app.call('links.update', { linkId: link.id, rules }, shared.creator.browser);
    expect([changed.status, changed.body.data.field]).toEqual([422, 'rules.agreementId']);
    const ofLink = (browser: Browser) => app.call('agreements.ofLink', { linkId: link.id }, browser);
    expect((await ofLink(shared.creator.browser)).body.agreement).toMatchObject({ id: own.id, version: 1 });
    expect((await ofLink(other.browser)).status).toBe(404);
    expect((await app.call('agreements.accepted', { linkId: link.id }, other.browser)).status).toBe(404);
  });
});
