import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectPayouts } from '#tests/support/money/selling.ts';
import { readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { countOf, guards, printProof } from '../counts.ts';
import { AccessWalk } from './access-walk.ts';

guards('src/features/access/**', 'src/features/viewing/**', 'src/features/links/*store.ts', 'src/features/links/*.ts');

let app: TestApp;
let owners: SharedAlbum[];
beforeAll(async () => {
  // Countries are told by addresses, which a proxy in front passes on.
  app = await openTestApp({ workJobs: false, server: { trustedProxies: '127.0.0.1' } });
  owners = [await shareAlbum(app, { count: 1 }), await shareAlbum(app, { count: 1 })];
  for (const { creator } of owners) await connectPayouts(app, creator);
});
afterAll(() => app.close());

/** One walk is replayed by its seed: `PF_SEED=17 npx vitest run tests/proofs/viewers/access-walk.test.ts`. */
const wanted = process.env.PF_SEED;
const seeds =
  wanted === undefined
    ? Array.from({ length: countOf(2, 60, 300) }, () => Math.floor(Math.random() * 2 ** 31))
    : wanted.split(',').map(Number);
const steps = countOf(70, 150);

test('whatever creators and viewers do, and when: everybody gets the answer that a small model of who may see what gives', async () => {
  const answers = new Map<string, number>();
  for (const seed of seeds) {
    app.setNow('2026-11-21T12:00:00Z');
    // Each walk has viewers of its own by the same names.
    await readRows(app, 'delete from album_access_grants');
    await readRows(app, 'delete from album_access_requests');
    const walk = new AccessWalk(app, owners, seed);
    try {
      for (let step = 0; step < steps; step++) await walk.step();
    } catch (error) {
      throw new Error(`PF_SEED=${seed}\n${walk.did.slice(-40).join('\n')}`, { cause: error });
    }
    for (const [answer, count] of walk.answers) answers.set(answer, (answers.get(answer) ?? 0) + count);
  }
  printProof('access walk', seeds.length * steps, Object.fromEntries(answers));
  expect(answers.get('OK') ?? 0).toBeGreaterThan(0);
});
