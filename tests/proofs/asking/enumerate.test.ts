import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newToken } from '#kit/ids.ts';
import { type Target, targetOf } from '#tests/proofs/asking/target.ts';
import { collectRoutes } from '#tests/support/collect-routes.ts';
import { blockViewer } from '#tests/support/database/viewer-rows.ts';
import { giveReadableSlug } from '#tests/support/money/credits.ts';
import { advance, must, signInQuickly } from '#tests/support/people.ts';
import { type Browser, copyOf, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { countOf, guards, isFull, printProof } from '../counts.ts';
import { faceOf, kinds, listEarly, median, mediansOf, tapAll, widest } from '../viewers/enumerate-taps.ts';
import { type Actor, nobody } from './actors.ts';
import { ask } from './driver.ts';
import { listProcedures } from './procedures.ts';
import { listClosed } from './routes.ts';
import { thingsOf } from './whose.ts';
import { openWorld, type World } from './world.ts';

guards('src/features/viewing/**', 'src/features/access/**', 'src/wire/refusals.ts');

let app: TestApp;
let world: World;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  world = await openWorld(app, { hasActors: false });
});
afterAll(() => app.close());

async function makeLink(rules: object = {}, more: object = {}): Promise<{ id: string; slug: string }> {
  const { person, things } = world.a;
  const input = { albumIds: [things.album], rules: { ageGate: false, ...rules }, isLaxConfirmed: true, ...more };
  return must(app, 'links.create', input, person.browser);
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

test('unknown, revoked, expired, full and blocked links are one and the same to a stranger, in bytes, headers and time', async () => {
  const { viewerApi } = world;
  const slugs = await deadSlugs();
  const blocked = newBrowser();
  const live = await makeLink();
  const { head } = await viewerApi.tap((await makeLink()).slug, {}, blocked);
  await blockViewer(app, head.visitId);
  advance(app, 3_600_000);
  const browser = { cookies: blocked.cookies };
  const cases = Object.entries({ ...slugs, blocked: live.slug }).map(([name, slug]) => ({ name, slug, browser }));
  const rounds = countOf(12, 1000);
  const { faces, times } = await tapAll(app, cases, rounds, viewerApi.tap);
  printProof('enumerate', rounds * cases.length, {
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

/** Somebody else with an account, with a visit to something else, and without anything. */
const strangers = async (): Promise<Actor[]> => [
  { name: 'creator B', browser: await signInQuickly(app, world.b.person.userId), ...nobody },
  { name: 'viewer of B', browser: world.b.viewer, ...nobody },
  { name: 'visitor', browser: newBrowser(), ...nobody },
];

/** Asks for a thing of Anna's and for one that never was, both at once. @returns both answers of each target to each actor */
async function compare(targets: readonly Target[], actors: readonly Actor[]) {
  const compared: { name: string; foreign: string; never: string }[] = [];
  for (const target of targets)
    for (const actor of actors) {
      const answers = (['A', 'unknown'] as const).map(async (whose) => {
        const [[door], things] = [target.doors, thingsOf(world, whose, actor)];
        const { status, headers, bytes } = await ask(world, { target, actor, whose, door, things });
        return faceOf(status, headers, bytes.toString());
      });
      const [foreign = '', never = ''] = await Promise.all(answers);
      compared.push({ name: target.name, foreign, never });
    }
  return compared;
}
type Compared = Awaited<ReturnType<typeof compare>>;
const differing = (compared: Compared) => compared.filter(({ foreign, never }) => foreign !== never);

const proceduresOfThings = () =>
  listProcedures().flatMap((one) => (one.meta.subject === 'none' ? [] : [targetOf(one)]));
/** But for those that anybody opens who has a slug. */
const routesOfThings = async () =>
  listClosed(await collectRoutes(app.engines)).filter(
    ({ meta }) => !meta.who.includes('visitor') && meta.subject !== 'none',
  );

test('a thing of another and a thing that never was get the same answer from every procedure and raw route', async () => {
  const [procedures, routes] = [proceduresOfThings(), await routesOfThings()];
  const compared = await compare([...procedures, ...routes], await strangers());
  const reported = differing(compared);
  printProof('enumerate', 2 * compared.length, {
    procedures: procedures.length,
    routes: routes.length,
    differing: reported.length,
  });
  expect(procedures.length).toBeGreaterThan(20);
  expect(routes.length).toBeGreaterThan(10);
  expect(reported).toEqual([]);
  const isRoute = ({ name }: Compared[number]) => name.includes(' /');
  expect(compared.filter((one) => isRoute(one) && !/^\[4\d\d,/.test(one.foreign))).toEqual([]);
});

/** A browser that came before and keeps its cookie: a code is looked at in no other. */
function returning(): Browser {
  const browser = newBrowser();
  browser.cookies.set('pf_viewer', 'A'.repeat(43));
  return browser;
}

test('planted: a door that asks and somebody who may see are told apart', async () => {
  const dead = { name: 'unknown', slug: `golden-hour-${newToken()}`, browser: returning() };
  const live = { name: 'live', slug: (await makeLink({}, { password: 'blue orchard' })).slug, browser: returning() };
  expect((await tapAll(app, [dead], 3, world.viewerApi.tap)).faces).toHaveLength(1);
  expect((await tapAll(app, [dead, live], 1, world.viewerApi.tap)).faces).toHaveLength(2);

  // Who is told is the owner, who may well know that her things are there.
  const anna = { name: 'creator A', browser: await signInQuickly(app, world.a.person.userId), ...nobody };
  const asked = ['albums.one', 'links.one', 'POST /api/media/leases'];
  const targets = [...proceduresOfThings(), ...(await routesOfThings())].filter(({ name }) => asked.includes(name));
  expect(differing(await compare(targets, [anna])).map(({ name }) => name)).toEqual(asked);
});

test('planted: a link that is answered early, and one that takes longer over a code, are found by their time', async () => {
  const { viewerApi } = world;
  const { unknown = '', revoked = '' } = await deadSlugs();
  advance(app, 3_600_000);
  const browser = returning();
  const cases = Object.entries({ unknown, revoked }).map(([name, slug]) => ({ name, slug, browser }));
  const before = await viewerApi.tap(revoked, {}, copyOf(browser));
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

test('a slug has 128 bits of chance and more; behind a readable beginning there are ten letters of it', async () => {
  const { person, things } = world.a;
  const make = () => must(app, 'links.create', { albumIds: [things.album], isLaxConfirmed: true }, person.browser);
  const plain: string[] = [];
  const readable: string[] = [];
  for (let n = 0; n < countOf(10, 100); n++) {
    plain.push(String((await make()).slug));
    for (const word of ['golden hour', 'a'.repeat(60)])
      readable.push((await giveReadableSlug(app, person, (await make()).id, word)).split('-').at(-1) ?? '');
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
    // A mailbox gets ten emails a day, known or not; the unknown one here is another each time.
    advance(app, 25 * 3_600_000);
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

/** Returns whether known and unknown can be told apart: in nearly every round, asked at the same time, the same one took longer, and by a quarter. */
function areApart({ known, unknown }: Record<Askers, number[]>): boolean {
  const ratios = known.map((ms, round) => ms / (unknown[round] ?? ms));
  const longer = ratios.filter((ratio) => ratio > 1).length / ratios.length;
  return (longer <= 0.1 || longer >= 0.9) && Math.abs(Math.log(median(ratios))) > Math.log(1.25);
}
const namesApart = (times: ReadonlyMap<string, Record<Askers, number[]>>) =>
  [...times].flatMap(([name, both]) => (areApart(both) ? [name] : []));

test('an address that is known and one that is not get the same answer at the same step of time', async () => {
  const rounds = countOf(10, 40);
  const { faces, times } = await compareAddresses(Object.keys(asksOfAddress), rounds);
  printProof('enumerate', 6 * rounds, { addresses: rounds });
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
  'planted: an address that is known is answered %s, and it is found',
  async (_, slower) => {
    const { times } = await compareAddresses(['accounts.askForPassword'], 10, slower);
    expect(namesApart(times)).toEqual(['accounts.askForPassword']);
  },
  300_000,
);
