import type { RouteOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#kit/ids.ts';
import { collectRoutes } from '#tests/support/collect-routes.ts';
import { type HouseInTest, headersOf, openHouse } from '#tests/support/house.ts';
import { countOf, isFull, tellProof } from './counts.ts';
import { spell, spellingNames } from './matrix-doors.ts';
import { type Asker, canaries, makeWorld, type Things, type World } from './matrix-world.ts';
import { listClosed, namesOf, type Shape, shapeOf } from './raw-shapes.ts';

let house: HouseInTest;
let world: World;
let routes: RouteOptions[] = [];

function isAllowed(asker: Asker, route: RouteOptions, whose: string): boolean {
  const who = route.config?.who ?? [];
  if (who.includes('visitor')) return true;
  if (route.config?.subject === 'visit') return asker.visits === whose;
  if (asker.may === 'visitor') return false;
  return route.config?.subject === 'none' || asker.owns === whose;
}

/** One refused call, over a real port because some of these routes stream. */
async function ask(
  name: string,
  asker: Asker,
  whose: string,
  { path, body, headers }: Shape,
  found: { leaks: string[]; requests: number },
  spelling?: string,
) {
  const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const said = spell(path, spelling);
  const [method = 'GET'] = name.split(' ');
  const answer = await fetch(`${world.salon.url}${said.url}`, {
    redirect: 'manual',
    method: spelling === 'HEAD' && method === 'GET' ? 'HEAD' : method,
    headers: {
      origin: house.engines.house.publicUrl,
      ...headersOf(asker.browser),
      ...json,
      ...headers,
      ...said.headers,
    } as Record<string, string>,
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
  });
  found.requests++;
  const text = `${await answer.text()}${JSON.stringify([...answer.headers])}`;
  const cell = `${name} as ${asker.name} on ${whose}${spelling === undefined ? '' : `, ${spelling}`}`;
  if (answer.status < 400 || answer.status >= 500) found.leaks.push(`${cell}: ${answer.status}`);
  if (text.includes(canaries.A) || text.includes(canaries.B)) found.leaks.push(`${cell}: a canary`);
}

/** Routes that do not say who may call them. */
const unsaid = (all: readonly RouteOptions[]) =>
  all.filter((route) => (route.config?.who ?? []).length === 0).flatMap(namesOf);

/** Things that are nobody's. */
const unknownThings = (): Things =>
  Object.fromEntries(
    Object.keys(world.a.things).map((noun) => [
      noun,
      noun === 'slug' ? 'unknownunknownunknown1' : newId(house.engines.clock()),
    ]),
  ) as unknown as Things;

/** Whose things a caller is refused; of a visit whose right has ended also its own. */
function listRefused(asker: Asker, route: RouteOptions): (readonly [whose: string, things: Things])[] {
  const { endedVisit } = asker;
  const all = [
    ['A', world.a.things],
    ['B', world.b.things],
    ['unknown', unknownThings()],
    ...(endedVisit === undefined ? [] : [['ended', { ...world.a.things, visit: endedVisit }] as const]),
  ] as const;
  return all.filter(([whose]) => !isAllowed(asker, route, whose));
}

const names = [...spellingNames, 'HEAD'];
/** All of them, or one by turns. */
const spellingsOf = (turn: number): string[] => (isFull ? names : names.slice(turn % names.length).slice(0, 1));

/** Asks every closed route as those who must be refused. */
async function askRefused(askers: readonly Asker[], closed: ReturnType<typeof listClosed>) {
  const found = { leaks: [] as string[], requests: 0 };
  let turn = 0;
  for (const { route, name } of closed)
    for (const asker of askers)
      for (const [whose, things] of listRefused(asker, route)) {
        const shape = shapeOf(name, things);
        await ask(name, asker, whose, shape, found);
        if (whose === 'unknown') continue;
        for (const spelling of spellingsOf(turn++)) await ask(name, asker, whose, shape, found, spelling);
      }
  return found;
}

/** A sandbox on this machine, and an installation that others reach; the short form asks the one that others reach. */
describe.each(isFull ? ['a sandbox', 'a live installation'] : ['a live installation'])('in %s', (mode) => {
  beforeAll(async () => {
    house = await openHouse({ workJobs: false, isLive: mode === 'a live installation' });
    world = await makeWorld(house);
    routes = await collectRoutes(house.engines);
  }, 120_000);
  afterAll(() => house.close());

  test('every raw route says who may call it', () => {
    expect(routes.length).toBeGreaterThan(15);
    expect(unsaid(routes)).toEqual([]);
    const forDevelopers = routes.filter(({ config }) => config?.who?.includes('developer' as never));
    expect(forDevelopers.length > 0).toBe(mode === 'a sandbox');
  });

  test('R1: raw routes give nobody what is not theirs: no byte, no lease, no name – however the address is spelt', {
    timeout: countOf(120_000, 3_600_000),
  }, async () => {
    const { leaks, requests } = await askRefused(world.askers, listClosed(routes));
    tellProof(`matrix of raw routes in ${mode}`, requests, { leaks: leaks.length });
    expect(leaks).toEqual([]);
    expect(requests).toBeGreaterThan(300);
  });

  test('R1, planted: a file and a lease given to somebody who is taken for a stranger are found, and a route without a word', async () => {
    const stranger = (asker: Asker): Asker => ({ ...asker, owns: undefined, may: 'visitor', visits: undefined });
    const known = world.askers.filter(({ name }) => name === 'creator A' || name === 'viewer of A').map(stranger);
    const opened = ['GET /api/media/:mediaId/original', 'POST /api/view/leases'];
    const { leaks } = await askRefused(
      known,
      listClosed(routes).filter(({ name }) => opened.includes(name)),
    );
    for (const leak of [
      'GET /api/media/:mediaId/original as creator A on A: 200',
      'POST /api/view/leases as viewer of A on A: 200',
    ])
      expect(leaks).toContain(leak);
    expect(leaks.some((leak) => leak.includes(' on B'))).toBe(false);
    const [owner] = known;
    if (owner === undefined) throw new Error('There is no owner.');
    const name = 'GET /api/media/:mediaId/original';
    for (const spelling of ['HEAD', 'a range', 'another method in a header']) {
      const found = { leaks: [] as string[], requests: 0 };
      await ask(name, owner, 'A', shapeOf(name, world.a.things), found, spelling);
      expect([spelling, found.leaks[0]]).toEqual([spelling, `${name} as creator A on A, ${spelling}: 200`]);
    }
    const silent = [{ method: 'GET', url: '/api/planted', config: {} }] as unknown as RouteOptions[];
    expect(unsaid([...routes, ...silent])).toEqual(['GET /api/planted']);
    expect(() => shapeOf('GET /api/planted', world.a.things)).toThrow('Give GET /api/planted a line');
  });
});
