import type { AddressInfo } from 'node:net';
import { createServer } from '#app/server/server.ts';
import { newId } from '#kit/ids.ts';
import { signInQuickly } from '#tests/support/people.ts';
import type { Browser, TestApp } from '#tests/support/test-app.ts';
import { createLive, type Live } from '#wire/live.ts';
import { type News, NewsReader } from './news-reader.ts';

/** A client of the proof: what a page knows after each event, and what it was told twice. */
class Page {
  readonly reader: NewsReader;
  readonly known = new Set<string>();
  readonly doubled: string[] = [];
  /** Everything that was told to its creator, as its API would say. */
  readonly truth: Set<string>;
  constructor(url: () => string, browser: Browser, truth: Set<string>) {
    this.truth = truth;
    this.reader = new NewsReader(url, browser, (news) => this.#take(news));
  }
  #take({ kind, linkId = '' }: News): void {
    if (kind === 'refetch') for (const id of this.truth) this.known.add(id);
    if (kind !== 'proof') return;
    if (this.known.has(linkId)) this.doubled.push(linkId);
    this.known.add(linkId);
  }
}

/** What a server does with the news that it hears; of ours it takes each once. */
export type EventStream = (live: Live) => Live['receive'];
export const once: EventStream = (live) => live.receive;

/** A server of its own on the same database, which can be started again. */
export async function startServer(from: TestApp, port: number, age: number, stream: EventStream) {
  const live = createLive(() => Date.now() + age);
  const patience = { loopMs: 0, poolMs: 0 };
  const app = await createServer(from.engines, live, { trustedProxies: undefined, patience });
  const listening = await from.engines.database.listen(stream(live), live.refetchAll);
  await app.listen({ port, host: '127.0.0.1' });
  return {
    port: (app.server.address() as AddressInfo).port,
    async stop() {
      live.close();
      await listening.close();
      await app.close();
    },
  };
}

/** Pages of creators on a server of its own, and what is told to them. */
export async function openPages(app: TestApp, creators: readonly string[], clients: number, port: number) {
  const people = creators.map((userId) => ({ userId, told: new Set<string>() }));
  const pages: Page[] = [];
  for (let n = 0; n < clients; n++) {
    const { userId, told: reported } = people[n % people.length] ?? { userId: '', told: new Set<string>() };
    pages.push(new Page(() => `http://127.0.0.1:${port}/api/live`, await signInQuickly(app, userId), reported));
  }
  await Promise.all(pages.map(({ reader }) => reader.open()));
  const tell = async (count: number) => {
    for (let n = 0; n < count; n++)
      for (const { userId: creatorId, told: reported } of people) {
        const linkId = newId<'link'>(app.engines.clock());
        reported.add(linkId);
        await app.engines.database.work({ kind: 'system' }, (tx) => tx.publish({ kind: 'proof', creatorId, linkId }));
      }
  };
  const behind = () => pages.filter(({ known, truth }) => known.size !== truth.size).length;
  return { pages, tell, behind };
}
