import type { CDPSession, Page, Request } from '@playwright/test';

/** What comes over the line to a page. */
export interface Traffic {
  /** What had come at a moment of the page's clock: bodies as they were compressed, and headers too. */
  until(atMs: number): Promise<{ bytes: number; addresses: string[] }>;
}

/** Notes every byte from now on: the page's own, its workers' and those of answers that are still coming. */
export async function noteTraffic(page: Page, line: CDPSession): Promise<Traffic> {
  const came: { at: number; bytes: number }[] = [];
  const asked: { at: number; address: string }[] = [];
  /** What was counted of each request; letters that are part of the page are none. */
  const counted = new Map<string, number>();
  let wallMinusMonotonic = 0;
  const count = (id: string, at: number, bytes: number) => {
    const before = counted.get(id);
    if (before === undefined) return;
    came.push({ at, bytes });
    counted.set(id, before + bytes);
  };
  line.on('Network.requestWillBeSent', ({ requestId, timestamp, wallTime, request }) => {
    wallMinusMonotonic = wallTime - timestamp;
    if (!request.url.startsWith('http')) return;
    counted.set(requestId, 0);
    asked.push({ at: timestamp, address: request.url });
  });
  line.on('Network.responseReceived', ({ requestId, timestamp, response }) =>
    count(requestId, timestamp, response.encodedDataLength),
  );
  line.on('Network.dataReceived', ({ requestId, timestamp, encodedDataLength }) =>
    count(requestId, timestamp, encodedDataLength),
  );
  // While an answer comes not all of its parts are told, and none of the page's own: what is missing comes with its end.
  line.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
    count(requestId, timestamp, encodedDataLength - (counted.get(requestId) ?? 0));
  });
  // What a worker is made of is asked for in the page's log and answered in the worker's own: its answer says how long it is.
  const workers: Promise<{ atMs: number; bytes: number }>[] = [];
  page.on('requestfinished', (request) => {
    if (/-worker-[^/]*\.js$/.test(request.url())) workers.push(weighWorker(request));
  });
  await line.send('Network.enable');
  return {
    async until(atMs) {
      const isBefore = ({ at }: { at: number }) => (at + wallMinusMonotonic) * 1000 <= atMs;
      const theirs = (await Promise.all(workers)).filter((worker) => worker.atMs <= atMs);
      return {
        bytes: [...came.filter(isBefore), ...theirs].reduce((sum, { bytes }) => sum + bytes, 0),
        addresses: asked.filter(isBefore).map(({ address }) => new URL(address).pathname),
      };
    },
  };
}

/** @throws Error when it does not say how long it is */
async function weighWorker(request: Request): Promise<{ atMs: number; bytes: number }> {
  const answer = await request.response();
  const bodyBytes = Number(answer && (await answer.headerValue('content-length')));
  if (!(bodyBytes > 0)) throw new Error(`${request.url()} does not say how long it is.`);
  const { startTime, responseEnd } = request.timing();
  return { atMs: startTime + responseEnd, bytes: bodyBytes + (await request.sizes()).responseHeadersSize };
}
