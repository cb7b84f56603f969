import { describe, expect, test } from 'vitest';
import type { DrawReport, DrawRequest } from '#features/media/browser/drawer.ts';
import type { Lease } from '../../contract.ts';
import { createPictureRequests } from './picture-requests.ts';

const lease = (mediaId: string): Lease => ({
  leaseId: mediaId,
  mediaId,
  rendition: 'thumb512',
  packId: mediaId,
  token: '',
  url: '',
  expiresInMs: 30_000,
  renewAfterMs: 15_000,
});

const thumb = (mediaId: string) => ({ mediaId, rendition: 'thumb512' });
const full = (mediaId: string) => ({ mediaId, rendition: 'p2048' });
const head = { leases: [] };

function start(isLookedAt: () => boolean = () => true) {
  const asked: { stream: number; ids: string[] }[] = [];
  const said: unknown[] = [];
  const halted: number[] = [];
  let streams = 1;
  const tell = (request: DrawRequest) => {
    if (request.do === 'look') asked.push({ stream: request.stream, ids: request.items.map(({ mediaId }) => mediaId) });
  };
  const requests = createPictureRequests({
    visitId: 'visit',
    drawer: { post: tell, lend: () => undefined, close: () => undefined },
    nextStream: () => streams++,
    halt: (stream) => halted.push(stream),
    isLookedAt,
    leases: [lease('a'), lease('b')],
    openStream: 0,
    onRefused: (refusal) => said.push(refusal),
    onMissed: (waitMs) => said.push(waitMs),
  });
  return { requests, asked, said, halted, hear: (report: DrawReport) => requests.receive(report) };
}

describe('requests for pictures', () => {
  test('asks only for what did not come with the door', async () => {
    const { requests, asked, hear: receive } = start();
    const answer = requests.ask(['a', 'b', 'c'].map(thumb));
    expect(asked).toEqual([{ stream: 1, ids: ['c'] }]);
    expect(requests.isHere(thumb('c'))).toBe(true);
    receive({ did: 'ended', stream: 1 });
    await expect(answer).resolves.toBe(true);
    await requests.ask([thumb('c')]);
    expect(asked).toHaveLength(1);
  });

  test('at most 24 in one call', () => {
    const { requests, asked } = start();
    void requests.ask(Array.from({ length: 40 }, (_, n) => thumb(`m${n}`)));
    expect(asked[0]?.ids).toHaveLength(24);
  });

  test('what a broken line did not bring may be asked for again', async () => {
    const { requests, asked, said, hear: receive } = start();
    const answer = requests.ask([thumb('c')]);
    receive({ did: 'broken', stream: 1 });
    await expect(answer).resolves.toBe(false);
    expect(said).toEqual([2000]);
    void requests.ask([thumb('c')]);
    expect(asked).toHaveLength(2);
  });

  test('the stream of the door itself can break too', () => {
    const { requests, hear: receive } = start();
    receive({ did: 'broken', stream: 0 });
    expect(requests.isHere(thumb('b'))).toBe(false);
  });

  test('a refusal ends it, a busy server is asked later', () => {
    const { requests, said, hear: receive } = start();
    void requests.ask([{ mediaId: 'c', rendition: 'p2048' }]);
    receive({ did: 'refused', stream: 1, status: 429, refusal: { code: 'RATE_LIMITED', data: { retryAfter: 7 } } });
    void requests.ask([{ mediaId: 'c', rendition: 'p2048' }]);
    receive({ did: 'refused', stream: 2, status: 410, refusal: { code: 'LINK' } });
    expect(said).toEqual([7000, { code: 'LINK' }]);
  });

  test('a picture that cannot be drawn is asked for three times and no more', () => {
    const { requests, asked, hear: receive } = start();
    for (let round = 0; round < 5; round++) {
      void requests.ask([thumb('c')]);
      receive({ did: 'failed', picture: 'c/thumb512' });
    }
    expect(asked).toHaveLength(3);
  });

  test('what is looked at comes first: the rest gives way when it begins to come, and not before', () => {
    const { requests, halted, hear: receive } = start();
    void requests.ask([thumb('c')]);
    void requests.askFirst([full('a')]);
    expect(requests.isHurrying()).toBe(true);
    receive({ did: 'head', stream: 1, head });
    expect(halted).toEqual([]);
    receive({ did: 'head', stream: 2, head });
    expect(halted, "the door's own stream and the gallery's").toEqual([0, 1]);
    receive({ did: 'ended', stream: 2 });
    expect(requests.isHurrying()).toBe(false);
  });

  test('nothing gives way to what was closed before it began to come', () => {
    let isOpen = true;
    const { requests, halted, hear: receive } = start(() => isOpen);
    void requests.askFirst([full('a')]);
    isOpen = false;
    void requests.ask([thumb('c')]);
    receive({ did: 'head', stream: 1, head });
    expect(halted).toEqual([]);
  });

  test('of what gave way only what it owed is asked for again, and nothing is said to be missed', async () => {
    const { requests, asked, said, hear: receive } = start();
    const answer = requests.ask(['c', 'd'].map(thumb));
    requests.giveWay();
    receive({ did: 'halted', stream: 0, owed: ['b/thumb512'] });
    receive({ did: 'halted', stream: 1, owed: undefined });
    await expect(answer).resolves.toBe(false);
    // What the drawer says of a stream that it was told to end is of no account.
    receive({ did: 'broken', stream: 0 });
    receive({ did: 'broken', stream: 1 });
    void requests.ask(['a', 'b', 'c', 'd'].map(thumb));
    expect(asked.at(-1)?.ids).toEqual(['b', 'c', 'd']);
    expect(said).toEqual([]);
  });

  test('what is below the first screen waits until that has come, or gave way', async () => {
    for (const over of [
      { did: 'ended', stream: 0 },
      { did: 'broken', stream: 0 },
      { did: 'halted', stream: 0, owed: [] },
    ] satisfies DrawReport[]) {
      const { requests, hear: receive } = start();
      const order: string[] = [];
      void requests.opened.then(() => order.push('opened'));
      await Promise.resolve();
      order.push('still coming');
      receive(over);
      await requests.opened;
      expect(order).toEqual(['still coming', 'opened']);
    }
  });

  test('what is looked at never gives way itself', () => {
    const { requests, halted, hear: receive } = start();
    void requests.askFirst([full('a')]);
    void requests.askFirst([full('b')]);
    receive({ did: 'head', stream: 2, head });
    expect(halted).toEqual([0]);
  });

  test('what made room and what went blank has to be asked for again', () => {
    const { requests, hear: receive } = start();
    receive({ did: 'dropped', picture: 'a/thumb512' });
    expect(requests.isHere(thumb('a'))).toBe(false);
    expect(requests.isHere(thumb('b'))).toBe(true);
    requests.forget();
    expect(requests.isHere(thumb('b'))).toBe(false);
  });
});
