import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { signUpCreator } from '#tests/support/people.ts';
import type { SharedAlbum } from '#tests/support/shared-link.ts';
import { type Answer, type Browser, newBrowser, type TestApp } from '#tests/support/test-app.ts';

const system = { kind: 'system' } as const;
type Lane = Pick<TestApp['engines']['database'], 'work'>;

/** Takes every connection of the usual lane, and lets somebody wait for one for longer than the patience. @returns how to go */
export async function crowd(app: TestApp, more: readonly Lane[] = []): Promise<() => Promise<void>> {
  const { database } = app.engines;
  const gate = Promise.withResolvers<void>();
  const holding = [database, ...more].flatMap((lane) =>
    Array.from({ length: 10 }, () => lane.work(system, () => gate.promise).catch(() => undefined)),
  );
  let isOver = false;
  // Those who wait give up after two seconds and others come: the wait must not end while the crowd is there.
  const queueing = Array.from({ length: 4 }, async (_, n) => {
    await wait(400 * n);
    while (!isOver) await database.work(system, async () => undefined).catch(() => undefined);
  });
  await expect.poll(() => database.waitMs(), { interval: 10 }).toBeGreaterThan(1100);
  return async () => {
    isOver = true;
    gate.resolve();
    await Promise.all([...holding, ...queueing]);
  };
}

/** What a refused call says: come again, and when. */
const shed = [503, 'UNAVAILABLE', '1'];
const saidBy = ({ status, body, headers }: Answer) => [status, body?.code, headers['retry-after']];

/** Somebody who asks an installation for things. */
export class Asking {
  requests = 0;
  readonly #app: TestApp;
  constructor(app: TestApp) {
    this.#app = app;
  }
  call(procedure: string, input: object, browser: Browser): Promise<Answer> {
    this.requests++;
    return this.#app.call(procedure, input, browser);
  }
  async raw(method: 'GET' | 'POST', url: string, browser: Browser, payload?: object): Promise<Answer> {
    this.requests++;
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await this.#app.fastify.inject({
      method,
      url,
      headers: { origin: 'http://localhost:3000', 'user-agent': 'Mozilla/5.0 (iPhone) Safari/604.1', cookie },
      ...(payload && { payload }),
    });
    const isJson = String(answer.headers['content-type']).startsWith('application/json');
    return { status: answer.statusCode, body: isJson ? answer.json() : undefined, headers: answer.headers };
  }
}

/** Everybody who asks while there is a crowd. */
interface Scene {
  staying: Screen;
  revoking: Screen;
  dead: { slug: string; viewer: Browser };
  leaver: Browser;
}
interface Screen {
  linkId: string;
  slug: string;
  viewer: Browser;
  visitId: string;
  mediaId: string | undefined;
}

async function setScene(app: TestApp, shared: SharedAlbum, asking: Asking): Promise<Scene> {
  const open = async (): Promise<Screen> => {
    const { id, slug } = await shared.makeLink();
    const viewer = newBrowser();
    const { head } = await shared.viewerApi.tap(slug, { firstScreen: 1 }, viewer);
    return { linkId: id, slug, viewer, visitId: head.visitId, mediaId: head.items[0]?.mediaId };
  };
  const [staying, revoking, gone] = [await open(), await open(), await open()];
  await asking.call('links.revoke', { linkIds: [gone.linkId] }, shared.creator.browser);
  const { browser: leaver } = await signUpCreator(app);
  return { staying, revoking, dead: { slug: gone.slug, viewer: gone.viewer }, leaver };
}

const renewal = ({ visitId }: Screen) => ({ visitId, samples: [], idleMs: 0 });

/** What is refused when there is too much to do. */
const refusable = (asking: Asking, { staying }: Scene, creator: Browser): Record<string, () => Promise<Answer>> => ({
  insights: () => asking.call('insights.overview', { days: 30 }, creator),
  'a list': () => asking.call('albums.list', {}, creator),
  'a tap': () => asking.raw('POST', `/api/view/${staying.slug}/open`, newBrowser(), {}),
  'a renewal': () => asking.call('viewing.renew', renewal(staying), staying.viewer),
  leases: () => {
    const items = [{ mediaId: staying.mediaId, rendition: 'thumb512' }];
    return asking.raw('POST', '/api/view/leases', staying.viewer, { visitId: staying.visitId, items });
  },
});

/** What must always work, and the status that says that it did; in this order. */
const urgent = (
  asking: Asking,
  { revoking, dead, leaver }: Scene,
  creator: Browser,
): Record<string, readonly [status: number, ask: () => Promise<Answer>]> => ({
  'the end of a link, to who knew it': [410, () => asking.raw('POST', `/api/view/${dead.slug}/open`, dead.viewer, {})],
  'the end of a link, to a stranger': [410, () => asking.raw('POST', `/api/view/${dead.slug}/open`, newBrowser(), {})],
  'taking back': [200, () => asking.call('links.revoke', { linkIds: [revoking.linkId] }, creator)],
  'the end of what was taken back': [410, () => asking.call('viewing.renew', renewal(revoking), revoking.viewer)],
  'sign-out': [200, () => asking.call('accounts.signOut', {}, leaver)],
  readiness: [200, () => asking.raw('GET', '/api/health', newBrowser())],
  life: [200, () => asking.raw('GET', '/healthz', newBrowser())],
});

/**
 * Asks for everything while every connection is taken, and again when they are free.
 * @param more lanes whose connections are taken as well
 * @param only what is asked for; default: everything
 * @returns what went wrong, in words
 */
export async function faultsOfMany(
  app: TestApp,
  shared: SharedAlbum,
  asking: Asking,
  { more = [], only }: { more?: readonly Lane[]; only?: readonly string[] } = {},
): Promise<string[]> {
  const wanted = <T>(all: Record<string, T>) =>
    Object.entries(all).filter(([what]) => only === undefined || only.includes(what));
  const { browser } = shared.creator;
  const scene = await setScene(app, shared, asking);
  const leave = await crowd(app, more);
  const faults: string[] = [];
  try {
    for (const [what, ask] of wanted(refusable(asking, scene, browser))) {
      // Who waits for a connection from now on gives up in two seconds; who is told at once is told before that.
      let hasGivenUp = false;
      void app.engines.database.work(system, async () => undefined).catch(() => (hasGivenUp = true));
      if (!isDeepStrictEqual(saidBy(await ask()), shed)) faults.push(`${what}: not told to come again`);
      else if (hasGivenUp) faults.push(`${what}: told only after it had waited`);
    }
    for (const [what, [status, ask]] of wanted(urgent(asking, scene, browser))) {
      const answer = await ask();
      if (answer.status !== status) faults.push(`${what}: ${answer.status}`);
    }
  } finally {
    await leave();
  }
  for (const what of ['insights', 'a renewal']) {
    const { status } = (await refusable(asking, scene, browser)[what]?.()) ?? {};
    if (status !== 200) faults.push(`${what} afterwards: ${status}`);
  }
  return faults;
}
