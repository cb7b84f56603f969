import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type GatedLink, openEmailGates } from '#tests/support/email-gates.ts';
import { advance, must, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedAlbum;
let clocks = 0;
let gates: ReturnType<typeof openEmailGates>;
beforeAll(async () => {
  app = await openTestApp();
  shared = await shareAlbum(app, { count: 1 });
  gates = openEmailGates(app, shared);
});
afterAll(() => app.close());
beforeEach(() => app.setNow(new Date(Date.parse('2026-11-21T12:00:00Z') + clocks++ * 60_000).toISOString()));

describe('an address in two browsers', () => {
  it('is one viewer: places, visits and the age that was said are theirs', async () => {
    const email = gates.newEmail();
    const link = await gates.asking([email], { maxViewers: 1, ageGate: true, maxVisits: 2 });
    const [first, second] = await Promise.all([gates.comer(link), gates.comer(link)]);
    const isAdult = true;
    await gates.open(link, { isAdult }, first);
    expect((await gates.prove(link, email, first, { isAdult })).head?.visitId).toBeDefined();
    await advance(app, 60_000);
    expect((await gates.open(link, { isAdult }, second)).refusal?.reason).toBe('NEED_EMAIL');
    expect((await gates.prove(link, email, second)).head?.visitId).toBeDefined();
    expect(await gates.viewersOf(link)).toHaveLength(1);
    await advance(app, 3_600_000);
    expect((await gates.open(link, {}, first)).refusal).toMatchObject({
      reason: 'VISITS_USED',
      title: 'You have used all 2 visits',
    });
  });

  it('stays two viewers where both have a past, until one comes to a link that knows the other', async () => {
    const [email, free] = [gates.newEmail(), await shared.makeLink()];
    const [one, two] = [newBrowser(), newBrowser()];
    for (const browser of [one, two]) expect((await gates.open(free, {}, browser)).head?.visitId).toBeDefined();
    const [link, another] = [await gates.asking(), await gates.asking()];
    expect((await gates.prove(link, email, one)).head?.visitId).toBeDefined();
    await advance(app, 60_000);
    expect((await gates.prove(another, email, two)).head?.visitId).toBeDefined();
    const [[first], [second]] = [await gates.viewersOf(link), await gates.viewersOf(another)];
    expect(second?.viewer_id).not.toBe(first?.viewer_id);
    expect((await gates.open(free, {}, two)).head?.visitId, 'what was open stays open').toBeDefined();
    expect(await gates.viewersOf(free)).toHaveLength(2);
  });

  it('keeps what the second had asked for and been given, when it becomes the viewer of the first', async () => {
    const [email, gated] = [gates.newEmail(), await gates.asking()];
    expect((await gates.prove(gated, email, await gates.comer(gated))).head?.visitId).toBeDefined();
    const asks = await shared.makeLink({ offers: [{ id: 'ask', all: [{ kind: 'approval' }] }] });
    const second = await gates.comer(asks);
    const accessRequest = { name: 'Bob', message: '' };
    expect((await gates.open(asks, { accessRequest }, second)).refusal?.reason).toBe('APPROVAL_PENDING');
    await advance(app, 60_000);
    await gates.open(gated, {}, second);
    expect((await gates.prove(gated, email, second)).head?.visitId).toBeDefined();
    expect((await gates.open(asks, {}, second)).refusal?.reason).toBe('APPROVAL_PENDING');
    const { requests } = await must(app, 'access.requests', {}, shared.creator.browser);
    const mine = requests.find(({ link }: { link: GatedLink }) => link.id === asks.id);
    await must(app, 'access.approve', { requestId: mine?.id }, shared.creator.browser);
    expect((await gates.open(asks, {}, second)).head?.visitId).toBeDefined();
  });

  it('is blocked in both, once its viewer is', async () => {
    const link = await gates.asking();
    const email = gates.newEmail();
    const first = await gates.comer(link);
    await gates.prove(link, email, first);
    const [viewer] = await gates.viewersOf(link);
    await readRows(app, `insert into viewer_blocks (creator_id, viewer_id, at) values ($1, $2, now())`, [
      shared.creator.userId,
      viewer?.viewer_id,
    ]);
    await advance(app, 60_000);
    const another = await gates.asking();
    const second = await gates.comer(another);
    expect((await gates.prove(another, email, second)).refusal?.reason).toBe('NOT_FOUND');
  });

  it('proven at the same moment is one viewer', async () => {
    const link = await gates.asking([], { maxViewers: 1 });
    const email = gates.newEmail();
    const browsers = [await gates.comer(link), await gates.comer(link)];
    const codes: (string | undefined)[] = [];
    for (const browser of browsers) {
      await gates.open(link, { email }, browser);
      codes.push((await gates.codesFor(email))[0]);
      await advance(app, 31_000);
    }
    const both = await Promise.all(browsers.map((browser, n) => gates.open(link, { emailCode: codes[n] }, browser)));
    expect(both.map(({ head }) => head?.visitId !== undefined)).toEqual([true, true]);
    expect(await gates.viewersOf(link)).toHaveLength(1);
  });

  it('is one viewer, too, when the first is written down after it was looked up whose address it is', async () => {
    const link = await gates.asking([], { maxViewers: 1 });
    const email = gates.newEmail();
    const browser = await gates.comer(link);
    await gates.open(link, { email }, browser);
    const [emailCode] = await gates.codesFor(email);
    const waits = `select 1 from pg_locks where relation = 'viewer_devices'::regclass and not granted`;
    const opening = await app.engines.database.work({ kind: 'system' }, async ({ client }) => {
      await client.query('lock table viewer_devices in share row exclusive mode');
      const result = gates.open(link, { emailCode }, browser);
      await expect.poll(async () => (await readRows(app, waits)).length, { timeout: 10_000 }).toBe(1);
      await client.query(
        'insert into viewers (id, email, email_verified_at, created_at, last_seen_at) values (gen_random_uuid(), $1, $2, $2, $2)',
        [email, new Date(app.engines.clock())],
      );
      // Not awaited: it goes on when this transaction ends.
      return { result };
    });
    expect((await opening.result).head?.visitId).toEqual(expect.any(String));
    expect(await readRows(app, 'select 1 from viewers where email = $1', [email])).toHaveLength(1);
    const owners = await readRows(
      app,
      'select v.email from link_viewers a join viewers v on v.id = a.viewer_id where a.link_id = $1',
      [link.id],
    );
    expect(owners).toEqual([{ email }]);
  });
});
