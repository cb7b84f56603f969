import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import type { ProcedureMeta } from '#wire/promise.ts';
import { guards, isFull, tellProof } from './counts.ts';
import { runMatrix } from './matrix.ts';
import { listRows, type MatrixRow } from './matrix-doors.ts';

guards(
  'src/**/contract.ts',
  'src/**/api.ts',
  'src/**/*store.ts',
  'src/wire/**',
  'src/app/server.ts',
  'db/migrations/**',
);

test('every procedure says who may call it and what its ids are about', () => {
  const rows = listRows();
  expect(rows.length).toBeGreaterThan(40);
  expect(rows.filter(({ meta }) => meta.who.length === 0).map(({ name }) => name)).toEqual([]);
});

/** A sandbox on this machine, and an installation that others reach; the short form asks the one that others reach. */
describe.each(isFull ? ['a sandbox', 'a live installation'] : ['a live installation'])('in %s', (mode) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp({ workJobs: false, isLive: mode === 'a live installation' });
  });
  afterAll(() => app.close());

  test('R1: what is allowed works, what is not leaves no trace – everybody, every procedure, everybody’s ids, both doors', {
    timeout: 3_600_000,
  }, async () => {
    const { requests, leaks, falseDenials, bugs, untested } = await runMatrix(app, { isFull });
    tellProof(`matrix in ${mode}`, requests, {
      leaks: leaks.length,
      falseDenials: falseDenials.length,
      bugs: bugs.length,
    });
    expect({ leaks, falseDenials, bugs, untested }).toEqual({ leaks: [], falseDenials: [], bugs: [], untested: [] });
    expect(requests).toBeGreaterThan(isFull ? 20_000 : 2500);
  });

  test('R1: the matrix itself finds who gets too much, who gets too little, a right that has not ended and a session of somebody else that has', async () => {
    const rowOf = (name: string, meta: Partial<ProcedureMeta>): MatrixRow => {
      const row = listRows().find((one) => one.name === name);
      if (row === undefined) throw new Error(`There is no ${name}.`);
      return { ...row, meta: { ...row.meta, ...meta } };
    };
    const { leaks, falseDenials } = await runMatrix(app, {
      isFull: false,
      rows: [
        rowOf('accounts.me', { who: ['creator'], needsPlan: true }),
        rowOf('links.list', { who: ['visitor'] }),
        rowOf('viewing.renew', {}),
        rowOf('accounts.changePassword', { who: ['visitor'] }),
        rowOf('accounts.signOut', {}),
        rowOf('accounts.signOutEverywhere', { who: ['visitor'] }),
        // The first of the owners of the seventh row is asked in every way.
        rowOf('albums.one', {}),
      ],
      // Her visit goes on, although the matrix is told that it has ended.
      plant: ({ askers, a }) => {
        for (const asker of askers.filter(({ name }) => name === 'viewer of A'))
          Object.assign(asker, { visits: undefined, endedVisit: a.things.visit });
        const [creatorA, creatorB] = ['creator A', 'creator B'].map((name) => askers.find((one) => one.name === name));
        if (creatorA === undefined || creatorB?.signIn === undefined) throw new Error('There are no creators.');
        // She calls with the session of A, although the matrix is told that it is a new one of her own.
        const { signIn } = creatorB;
        creatorB.signIn = async () => {
          await signIn();
          return creatorA.browser;
        };
        creatorA.owns = 'B';
      },
    });
    expect(leaks).toContain('accounts.me as visitor on A by rpc: 200');
    expect(leaks).toContain('accounts.me as forged bearer token on A by rest: 200');
    expect(leaks).toContain('viewing.renew as viewer of A on ended by rpc: 200');
    expect(leaks).toContain('albums.one as creator A on A by rest, named twice: 200');
    expect(leaks).toContain('accounts.signOut as creator B on A by rpc: a session that it is not about');
    expect(leaks).toContain('accounts.signOutEverywhere as creator B on A by rpc: a session goes on');
    for (const whose of ['B in capitals by', 'B by rest, named twice'])
      expect(falseDenials.filter((cell) => cell.startsWith(`albums.one as creator A on ${whose}`))).toHaveLength(1);
    for (const name of ['links.list', 'accounts.changePassword'])
      expect(falseDenials.filter((cell) => cell.startsWith(`${name} as visitor on A`))).toHaveLength(1);
  }, 120_000);
});
