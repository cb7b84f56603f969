import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { countOf, guards, isFull, printProof } from '../counts.ts';
import { Asking, faultsOfMany } from './crowded.ts';
import { openCrowdedApp } from './crowded-app.ts';

guards(
  'src/app/server/admission-control.ts',
  'src/app/server/shedding.ts',
  'src/app/server/slow-clients.ts',
  'src/app/server/server.ts',
  'src/engines/database/**',
  'src/kit/places.ts',
);

/** More comes than can be done. What must always work goes on working, the rest is told at once to come again. */
let app: TestApp;
let shared: SharedAlbum;
let asking: Asking;
let requests = 0;
const figures: Record<string, number> = {};
const patience = { timeout: countOf(120_000, 3_600_000) };
beforeAll(async () => {
  app = await openTestApp({ workJobs: false, server: { patience: { loopMs: 0, poolMs: 1000 } } });
  shared = await shareAlbum(app, { count: 1 });
  asking = new Asking(app);
});
afterAll(async () => {
  printProof('overload', requests + asking.requests, figures);
  await app.close();
});

test(
  'while every connection is taken, taking back works, a no is said as a no, and the rest is told at once to come again',
  patience,
  async () => {
    for (let round = 0; round < countOf(1, 10); round++) expect(await faultsOfMany(app, shared, asking)).toEqual([]);
  },
);

test(
  'planted: an installation that lets everybody wait, and one that takes back in the usual lane, are found',
  patience,
  async () => {
    const patient = await openTestApp({ workJobs: false });
    try {
      const sharedThere = await shareAlbum(patient, { count: 1 });
      const late = await faultsOfMany(patient, sharedThere, new Asking(patient), { only: ['a list'] });
      expect(late).toEqual(['a list: told only after it had waited']);
    } finally {
      await patient.close();
    }
    const { urgent } = app.engines.database;
    const crowded = await faultsOfMany(app, shared, asking, { more: [urgent], only: ['taking back', 'sign-out'] });
    expect(crowded).toEqual(['taking back: 503', 'sign-out: 503']);
  },
);

test('one abuser behind a shared address locks none of the others out', patience, async () => {
  const address = '203.0.113.7';
  const behind = () => ({ ...newBrowser(), address });
  const link = await shared.makeLink();
  const guarded = await shared.makeLink({ password: true }, { password: 'calm river' });
  const { slug } = guarded;
  const open = async (of: string, from: Browser, body: object) => {
    requests++;
    const answer = await app.fastify.inject({
      method: 'POST',
      url: `/api/view/${of}/open`,
      remoteAddress: address,
      headers: { origin: 'http://localhost:3000', 'user-agent': 'Mozilla/5.0 (iPhone) Safari/604.1' },
      payload: { ...body, ...(from.headers && {}) },
    });
    return answer.statusCode;
  };
  const tries = countOf(20, 60);
  for (let n = 0; n < tries; n++) {
    await open(slug, behind(), { resumeCode: 'AAAAA-AAAAA' });
    await asking.call('accounts.signIn', { email: 'nobody@example.org', password: `wrong ${n}` }, behind());
    await asking.call('links.list', {}, behind());
  }
  const viewers = countOf(60, 500);
  const answers = [];
  for (let n = 0; n < viewers; n++) answers.push(await open(link.slug, behind(), {}));
  expect(answers.filter((status) => status !== 200)).toEqual([]);
  figures.viewersBehindOneAddress = viewers;
});

/** Shares of useful work at so many times of what can be done (P19): per CPU-second, which a busy machine moves least. */
const gates = [
  [2, 0.8],
  [10, 0.6],
] as const;

test.skipIf(!isFull)(
  'under 2 and 10 times of what can be done as much is done, taking back works, and soon all is well',
  patience,
  async () => {
    const world = await openCrowdedApp();
    try {
      for (const [factor, gate] of gates) {
        const over = await world.crowd(factor, 60);
        requests += over.sent;
        figures[`capacityPerSecond${factor}x`] = over.capacityPerSecond;
        figures[`goodput${factor}x`] = over.goodput;
        figures[`goodputByClock${factor}x`] = over.goodputByClock;
        figures[`shedWithin50Ms${factor}x`] = over.shedWithin50Ms;
        figures[`shedInsideWithin50Ms${factor}x`] = over.shedInsideWithin50Ms;
        figures[`loopP99Ms${factor}x`] = over.loopP99Ms;
        figures[`shed${factor}x`] = over.shed;
        figures[`cut${factor}x`] = over.failed;
        figures[`slowestRevokeMs${factor}x`] = over.slowestUrgentMs;
        figures[`normalAgainSeconds${factor}x`] = over.normalAgainSeconds;
        expect.soft(over.urgentFailures).toEqual([]);
        // Whoever is refused is told so: nobody is cut off, and nothing fails.
        expect.soft(over.failed).toBe(0);
        expect.soft(over.goodput).toBeGreaterThanOrEqual(gate);
        // At ten times the generator hears late, on the same cores: what it saw is told, and what the server saw is held.
        if (factor === 2) expect.soft(over.shedWithin50Ms).toBeGreaterThanOrEqual(0.9);
        expect.soft(over.shedInsideWithin50Ms).toBeGreaterThanOrEqual(0.9);
        expect.soft(over.normalAgainSeconds).toBeLessThanOrEqual(5);
      }
      const after = await world.crowd(0.5, 20);
      requests += after.sent;
      figures.servedAtHalf = after.served;
      expect.soft(after.served).toBeGreaterThanOrEqual(0.99);
    } finally {
      await world.remove();
    }
  },
);
