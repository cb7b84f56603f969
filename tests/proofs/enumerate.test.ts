import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId, newToken } from '#kit/ids.ts';
import { pass } from '#tests/support/people.ts';
import { type Browser, headersOf, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { countOf, guards, isFull, tellProof } from './counts.ts';
import { faceOf, kinds, listEarly, median, mediansOf, tapAll, widest } from './enumerate-taps.ts';
import { bodyOf } from './matrix-bodies.ts';
import { listRows } from './matrix-doors.ts';
import { makeWorld, type Things, type World } from './matrix-world.ts';
import { signInQuickly } from './quick-sessions.ts';

guards('src/features/viewing/**', 'src/features/access/**', 'src/wire/refusals.ts');

let app: TestApp;
let world: World;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  world = await makeWorld(app);
}, 120_000);
afterAll(() => app.close());

async function makeLink(rules: object = {}, more: object = {}): Promise<{ id: string; slug: string }> {
  const { person, things } = world.a;
  const input = { albumIds: [things.album], rules: { ageGate: false, ...rules }, isLaxConfirmed: true, ...more };
  const { status, body } = await app.call('links.create', input, person.browser);
  if (status !== 200) throw new Error(`links.create: ${status} ${JSON.stringify(body)}`);
  return body;
}

/** One link of each kind that somebody who was never let in must not tell from one that never was. */
async function deadSlugs(): Promise<Record<string, string>> {
  const revoked = await makeLink({}, { password: 'blue orchard' });
  await app.call('links.revoke', { linkIds: [revoked.id] }, world.a.person.browser);
  const expired = await makeLink({ ageGate: true }, { expiry: { kind: 'after', hours: 1 } });
  const full = await makeLink({ bindFirstViewer: true });
  await world.viewerApi.tap(full.slug);
  return {
    unknown: `golden-hour-${newToken()}`,
    odd: '%2e%2e%2f',
    revoked: revoked.slug,
    expired: expired.slug,
    full: full.slug,
  };
}

test('R9: unknown, revoked, expired, full and blocked links are one and the same to a stranger, in bytes, headers and time', async () => {
  const { viewerApi } = world;
  const slugs = await deadSlugs();
  const blocked = newBrowser();
  const live = await makeLink();
  const { head } = await viewerApi.tap((await makeLink()).slug, {}, blocked);
  await app.engines.database.work({ kind: 'system' }, ({ client }) =>
    client.query(
      'insert into viewer_blocks (creator_id, viewer_id, at) select creator_id, viewer_id, now() from viewer_sessions where id = $1',
      [head.visitId],
    ),
  );
  pass(app, 3_600_000);
  const browser = { cookies: blocked.cookies };
  const cases = Object.entries({ ...slugs, blocked: live.slug }).map(([name, slug]) => ({ name, slug, browser }));
  const rounds = countOf(12, 1000);
  const { faces, times } = await tapAll(app, cases, rounds, viewerApi.tap);
  tellProof('enumerate', rounds * cases.length, {
    faces: faces.length,
    slowestMedianMs: Math.round(Math.max(...mediansOf(times).flat()) * 10) / 10,
    ...Object.fromEntries(times.map((one) => [`spreadPercentWith${one.kind}`, Math.round(widest([one]) * 1000) / 10])),
  });
  expect(faces).toHaveLength(1);
  expect(faces[0]).toMatch(/^\[410,/);
  expect(listEarly(times)).toEqual([]);
  // Medians only where the machine is ours alone.
  if (isFull) expect(widest(times)).toBeLessThan(0.1);
}, 3_000_000);

/** The same ids as somebody's, of things that never were. */
const unknownThings = () =>
  Object.fromEntries(
    Object.keys(world.a.things).map((noun) => [noun, noun === 'slug' ? newToken() : newId(app.engines.clock())]),
  ) as unknown as Things;

/** Asks every procedure for a thing of Anna's and for one that never was. @returns the answers that tell them apart */
async function compareProcedures(names: readonly string[], askers: readonly Browser[]) {
  const unknown = unknownThings();
  const differing: string[] = [];
  let asked = 0;
  for (const name of names)
    for (const asker of askers) {
      const [foreign = '', never = ''] = await Promise.all(
        [world.a.things, unknown].map(async (things) => {
          const own: Browser = { cookies: new Map(asker.cookies) };
          const { status, body, headers } = await app.call(name, bodyOf(name, things), own);
          asked++;
          return faceOf(status, Object.entries(headers), JSON.stringify(body ?? null));
        }),
      );
      if (foreign !== never) differing.push(`${name}\n  ${foreign}\n  ${never}`);
    }
  return { asked, differing };
}

const proceduresOfThings = () => listRows().flatMap(({ name, meta }) => (meta.subject === 'none' ? [] : [name]));

test('R9: a thing of another and a thing that never was get the same answer from every procedure', async () => {
  const names = proceduresOfThings();
  const askers = [await signInQuickly(app, world.b.person.userId), world.viewerOfB, newBrowser()];
  const { asked, differing } = await compareProcedures(names, askers);
  tellProof('enumerate', asked, { procedures: names.length, differing: differing.length });
  expect(names.length).toBeGreaterThan(20);
  expect(differing).toEqual([]);
});

/** Asks every raw route for a thing of Anna's and for one that never was. @returns both answers of each */
async function compareRoutes(askers: readonly Browser[]): Promise<{ name: string; foreign: string; never: string }[]> {
  const { medium, upload, visit, packId, video, trackId } = world.a.things;
  const id = newId(app.engines.clock());
  const tus = { 'tus-resumable': '1.0.0' };
  const lease = { 'pf-lease': 'A'.repeat(94) };
  const asks: Record<string, (of: boolean) => { method: string; path: string; headers?: object; body?: object }> = {
    original: (of) => ({ method: 'GET', path: `/api/media/${of ? medium : id}/original` }),
    'own video': (of) => ({ method: 'GET', path: `/api/media/${of ? video : id}/video/main.m3u8` }),
    upload: (of) => ({ method: 'HEAD', path: `/files/${of ? upload : id}`, headers: tus }),
    'upload ended': (of) => ({ method: 'DELETE', path: `/files/${of ? upload : id}`, headers: tus }),
    pack: (of) => ({ method: 'GET', path: `/m/c/${of ? packId : id}/${'A'.repeat(16)}`, headers: lease }),
    'piece of a video': (of) => ({ method: 'GET', path: `/m/s/${of ? trackId : id}/0`, headers: lease }),
    playlist: (of) => ({ method: 'GET', path: `/api/view/videos/${of ? visit : id}/${video}/main.m3u8` }),
    news: (of) => ({ method: 'GET', path: `/api/live/view?visit=${of ? visit : id}` }),
    leases: (of) => ({
      method: 'POST',
      path: '/api/view/leases',
      body: { visitId: of ? visit : id, items: [{ mediaId: medium, rendition: 'p2048' }] },
    }),
    'studio leases': (of) => ({
      method: 'POST',
      path: '/api/media/leases',
      body: { items: [{ mediaId: of ? medium : id, rendition: 'p2048' }] },
    }),
  };
  const compared: { name: string; foreign: string; never: string }[] = [];
  for (const [name, shapeOf] of Object.entries(asks))
    for (const asker of askers) {
      const [foreign = '', never = ''] = await Promise.all(
        [true, false].map(async (isForeign) => {
          const { method, path, headers, body } = shapeOf(isForeign);
          const sent = { 'content-type': 'application/json', 'x-csrf-token': 'orpc', ...headersOf(asker), ...headers };
          const init = { method, headers: sent as Record<string, string>, body: body ? JSON.stringify(body) : null };
          const answer = await fetch(`${world.viewerApi.url}${path}`, init);
          return faceOf(answer.status, answer.headers, await answer.text());
        }),
      );
      compared.push({ name, foreign, never });
    }
  return compared;
}

test('R9: nor do raw routes tell a thing of another from one that never was', async () => {
  const askers = [await signInQuickly(app, world.b.person.userId), world.viewerOfB, newBrowser()];
  for (const { name, foreign, never } of await compareRoutes(askers)) {
    expect([name, foreign]).toEqual([name, never]);
    expect([name, foreign]).toEqual([name, expect.stringMatching(/^\[4\d\d,/)]);
  }
});

test('R9, planted: a door that asks and somebody who may see are told apart', async () => {
  const dead = { name: 'unknown', slug: `golden-hour-${newToken()}`, browser: newBrowser() };
  const live = { name: 'live', slug: (await makeLink({}, { password: 'blue orchard' })).slug, browser: newBrowser() };
  expect((await tapAll(app, [dead], 3, world.viewerApi.tap)).faces).toHaveLength(1);
  expect((await tapAll(app, [dead, live], 1, world.viewerApi.tap)).faces).toHaveLength(2);

  // Who is told is the owner, who may well know that her things are there.
  const anna = await signInQuickly(app, world.a.person.userId);
  const asked = ['albums.one', 'links.one', 'media.findSame'].filter((name) => proceduresOfThings().includes(name));
  const { differing } = await compareProcedures(asked, [anna]);
  expect(differing.map((found) => found.split('\n')[0])).toEqual(expect.arrayContaining(['albums.one', 'links.one']));
  const routes = (await compareRoutes([anna])).filter(({ foreign, never }) => foreign !== never);
  expect(routes.map(({ name }) => name)).toContain('studio leases');
});

test('R9, planted: a link that is answered early, and one that takes longer over a code, are found by their time', async () => {
  const { viewerApi } = world;
  const { unknown = '', revoked = '' } = await deadSlugs();
  pass(app, 3_600_000);
  const browser = newBrowser();
  const cases = Object.entries({ unknown, revoked }).map(([name, slug]) => ({ name, slug, browser }));
  const before = await viewerApi.tap(revoked);
  const early = await tapAll(app, cases, 6, async (slug, ...asked) =>
    slug === revoked ? before : viewerApi.tap(slug, ...asked),
  );
  expect(early.faces).toHaveLength(1);
  expect(listEarly(early.times)).toEqual(kinds.map((kind) => `revoked with ${kind}`));
  expect(widest(early.times)).toBeGreaterThan(0.1);

  const slow = await tapAll(app, cases, 15, async (slug, body, from) => {
    const began = performance.now();
    const answer = await viewerApi.tap(slug, body, from);
    if (slug === revoked && 'resumeCode' in body) await wait(3 * (performance.now() - began));
    return answer;
  });
  expect(listEarly(slow.times)).toEqual([]);
  expect(widest(slow.times.filter(({ kind }) => kind === 'code'))).toBeGreaterThan(0.1);
});

test('R9: a slug has 128 bits of chance and more; behind a readable beginning there are ten letters of it', async () => {
  const { person, things } = world.a;
  const slugOf = async (vanity: string) => {
    const input = { albumIds: [things.album], isLaxConfirmed: true, vanity };
    return String((await app.call('links.create', input, person.browser)).body.slug);
  };
  const plain: string[] = [];
  const readable: string[] = [];
  for (let n = 0; n < countOf(10, 100); n++) {
    plain.push(await slugOf(''));
    for (const vanity of ['golden hour', 'a'.repeat(60)]) readable.push((await slugOf(vanity)).split('-').at(-1) ?? '');
  }
  const shortest = (texts: string[]) => Math.min(...texts.map(({ length }) => length));
  expect(new Set([...plain, ...readable]).size).toBe(plain.length + readable.length);
  expect(new Set(plain.join('')).size).toBeGreaterThan(55);
  expect(shortest(plain) * Math.log2(62)).toBeGreaterThanOrEqual(128);
  expect(shortest(readable)).toBeGreaterThanOrEqual(10);
});

/** What a stranger may ask about an address. */
const asksOfAddress: Readonly<Record<string, (email: string) => object>> = {
  'accounts.signIn': (email) => ({ email, password: 'not the password' }),
  'accounts.askForPassword': (email) => ({ email }),
  'accounts.signUp': (email) => ({ email, isAdult: true }),
};
type Askers = 'known' | 'unknown';

/** Asks all of it about an address that is known and one that is not, each first as often as the other. @param slower whose answers take twice as long, planted */
async function compareAddresses(names: readonly string[], rounds: number, slower?: Askers) {
  const faces: string[] = [];
  const times = new Map(names.map((name) => [name, { known: [] as number[], unknown: [] as number[] }]));
  for (let round = 0; round < rounds; round++) {
    // A mailbox gets ten letters a day, known or not; the unknown one here is another each time.
    pass(app, 25 * 3_600_000);
    const emails = { known: world.b.person.email, unknown: `nobody-${newToken().toLowerCase()}@example.com` };
    for (const name of names) {
      const order: Askers[] = round % 2 === 0 ? ['known', 'unknown'] : ['unknown', 'known'];
      const asked = order.map(async (who) => {
        const began = performance.now();
        const { status, body, headers } = await app.call(name, asksOfAddress[name]?.(emails[who]), newBrowser());
        if (who === slower) await wait(performance.now() - began);
        times.get(name)?.[who].push(performance.now() - began);
        return faceOf(status, Object.entries(headers), JSON.stringify(body));
      });
      const [first, second] = await Promise.all(asked);
      if (first !== second) faces.push(`${name}\n  ${first}\n  ${second}`);
    }
  }
  return { faces, times };
}

/** Whether known and unknown can be told apart: in nearly every round, asked at the same time, the same one took longer, and by a quarter. */
function areApart({ known, unknown }: Record<Askers, number[]>): boolean {
  const ratios = known.map((ms, round) => ms / (unknown[round] ?? ms));
  const longer = ratios.filter((ratio) => ratio > 1).length / ratios.length;
  return (longer <= 0.1 || longer >= 0.9) && Math.abs(Math.log(median(ratios))) > Math.log(1.25);
}
const namesApart = (times: ReadonlyMap<string, Record<Askers, number[]>>) =>
  [...times].flatMap(([name, both]) => (areApart(both) ? [name] : []));

test('R9: an address that is known and one that is not get the same answer at the same step of time', async () => {
  const rounds = countOf(10, 40);
  const { faces, times } = await compareAddresses(Object.keys(asksOfAddress), rounds);
  tellProof('enumerate', 6 * rounds, { addresses: rounds });
  expect(faces).toEqual([]);
  expect(namesApart(times)).toEqual([]);
  // Whole steps: a caller sees how many, never what was done in them.
  for (const [name, { known, unknown }] of times)
    expect([name, Math.min(...known, ...unknown) >= 199]).toEqual([name, true]);
}, 600_000);

test.each([
  ['slower', 'known'],
  ['faster', 'unknown'],
] as const)(
  'R9, planted: an address that is known is answered %s, and it is found',
  async (_, slower) => {
    const { times } = await compareAddresses(['accounts.askForPassword'], 10, slower);
    expect(namesApart(times)).toEqual(['accounts.askForPassword']);
  },
  300_000,
);
