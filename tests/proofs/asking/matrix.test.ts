import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Target, targetOf } from '#tests/proofs/asking/target.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import type { ProcedureMeta } from '#wire/promise.ts';
import { guards, isFull, printProof } from '../counts.ts';
import { proveAuthorization } from '../judging/authorization.ts';
import type { Actor } from './actors.ts';
import { makeAdministrators } from './administrators.ts';
import { endingsLast, listProcedures } from './procedures.ts';
import { openWorld, type World } from './world.ts';

const procedures = endingsLast(listProcedures()).map(targetOf);

guards(
  'src/**/*contract.ts',
  'src/**/*api.ts',
  'src/**/*store.ts',
  'src/wire/**',
  'src/app/server/server.ts',
  'db/migrations/**',
  'tests/proofs/judging/**',
  'src/kit/**',
);

test('every procedure says who may call it and what its ids are about', () => {
  expect(procedures.length).toBeGreaterThan(40);
  expect(procedures.filter(({ meta }) => meta.who.length === 0).map(({ name }) => name)).toEqual([]);
});

/** A sandbox on this machine, and an installation that others reach; the short form asks the one that others reach. */
describe.each(isFull ? ['a sandbox', 'a live installation'] : ['a live installation'])('in %s', (mode) => {
  let app: TestApp;
  let world: World;
  let administrators: Actor[];
  /** What a sandbox says of payments that were only written down for this proof. */
  const logged: object[] = [];
  beforeAll(async () => {
    const isLive = mode === 'a live installation';
    const log = { info: () => undefined, warn: () => undefined, error: (about: object) => void logged.push(about) };
    app = await openTestApp({ workJobs: false, isLive, ...(!isLive && { log }) });
    world = await openWorld(app);
    administrators = await makeAdministrators(app);
  });
  afterAll(() => app.close());

  test('planted: who gets too much, who gets too little, a right that has not ended and a session of somebody else that has are found', async () => {
    const named = (name: string, meta: Partial<ProcedureMeta>): Target => {
      const target = procedures.find((one) => one.name === name);
      if (target === undefined) throw new Error(`There is no ${name}.`);
      return { ...target, meta: { ...target.meta, ...meta } };
    };
    const [creatorA, creatorB] = [world.actorOf('creator A'), world.actorOf('creator B')];
    const actors = world.actors.map((actor) => {
      // Her visit goes on, although it is said that it has ended.
      if (actor.name === 'viewer of A') return { ...actor, visits: undefined, endedVisit: world.a.things.visit };
      if (actor === creatorA) return { ...actor, owns: 'B' as const };
      // She calls with the session of A, although it is said that it is a new one of her own.
      const signIn = async () => {
        await creatorB.signIn?.();
        return creatorA.browser;
      };
      return actor === creatorB ? { ...actor, signIn } : actor;
    });
    const { leaks, falseDenials } = await proveAuthorization(world, {
      actors,
      isFull: false,
      targets: [
        named('accounts.me', { who: ['creator'], needsPlan: true }),
        named('links.list', { who: ['visitor'] }),
        named('viewing.renew', {}),
        // The first of the owners of the fourth is asked in every way.
        named('albums.one', {}),
        named('accounts.changePassword', { who: ['visitor'] }),
        named('accounts.signOut', {}),
        named('accounts.signOutEverywhere', { who: ['visitor'] }),
      ],
    });
    expect(leaks).toContain('accounts.me as visitor on A by rpc: 200');
    expect(leaks).toContain('accounts.me as forged bearer token on A by rest: 200');
    expect(leaks).toContain('viewing.renew as viewer of A on ended by rpc: 200');
    expect(leaks).toContain('albums.one as creator A on A by rest, named twice: 200');
    expect(leaks).toContain('accounts.signOut as creator B on A by rpc: a session that it is not about');
    expect(leaks).toContain('accounts.signOutEverywhere as creator B on A by rpc: a session goes on');
    for (const whose of ['B in capitals by', 'B by rest, named twice'])
      expect(falseDenials.filter((found) => found.startsWith(`albums.one as creator A on ${whose}`))).toHaveLength(1);
    for (const name of ['links.list', 'accounts.changePassword'])
      expect(falseDenials.filter((found) => found.startsWith(`${name} as visitor on A`))).toHaveLength(1);
  });

  test('planted: an administrator who may more or less than the contract says is found', async () => {
    const named = (name: string, scopes: NonNullable<ProcedureMeta['scopes']>) =>
      procedures.filter((one) => one.name === name).map((one) => ({ ...one, meta: { ...one.meta, scopes } }));
    const { leaks, falseDenials } = await proveAuthorization(world, {
      actors: administrators,
      isFull: false,
      targets: [...named('adminUsers.find', ['owner']), ...named('adminAudit.find', ['support'])],
    });
    for (const door of ['rest', 'rpc'])
      expect(leaks).toContain(`adminUsers.find as admin of support on A by ${door}: 200`);
    expect(leaks.filter((found) => !found.startsWith('adminUsers.find as admin of support'))).toEqual([]);
    expect(falseDenials.filter((found) => found.startsWith('adminAudit.find as admin of support'))).toHaveLength(1);
  });

  test("what is allowed works, what is not leaves no trace – everybody, every procedure, everybody's ids, both doors", {
    timeout: 3_600_000,
  }, async () => {
    const { requests, leaks, falseDenials, bugs, untested } = await proveAuthorization(world, {
      targets: procedures,
      actors: [...world.actors, ...administrators],
      isFull,
    });
    printProof(`matrix in ${mode}`, requests, {
      leaks: leaks.length,
      falseDenials: falseDenials.length,
      bugs: bugs.length,
    });
    expect({ leaks, falseDenials, bugs, untested }).toEqual({ leaks: [], falseDenials: [], bugs: [], untested: [] });
    expect(logged.filter((about) => !('err' in about && String(about.err).includes('No such payment_intent')))).toEqual(
      [],
    );
    expect(requests).toBeGreaterThan(isFull ? 20_000 : 2500);
  });
});
