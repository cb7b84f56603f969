import http from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { drawNoise, untilGiven, type Visitor } from '#tests/support/servers/visitor.ts';
import { headersOf } from '#tests/support/test-app.ts';
import { phone, readStream, type Streamed } from '#tests/support/viewer-api.ts';
import type { Screen } from '../viewers/open-screens.ts';

/** More than fits between a server and somebody who reads slowly: a stream of them is under way until it is read. */
export const heavyPhotos = 10;
const pauseMs = 20;

/** An album of photos of noise, which no codec makes small. */
export async function makeHeavyAlbum({ must, beginUpload, sendFrom, untilSettled }: Visitor, mia: Screen['browser']) {
  const { id } = await must('albums.create', { name: 'Heavy', peopleConsent: 'only_me' }, mia);
  const photo = await drawNoise(1400, 1000);
  for (let n = 0; n < heavyPhotos; n++) await sendFrom(mia, await beginUpload(mia, id, photo), photo, 0);
  await untilSettled(mia, id);
  return id as string;
}

/** Somebody opens a link and asks for all of its full photos, which come one after the other. */
export async function beginStream({ viewerApi }: Visitor, slug: string, browser: Screen['browser']) {
  const { head } = await untilGiven(() => viewerApi.tap(slug, { firstScreen: 1 }, browser));
  const items = head.items.map(({ mediaId }: { mediaId: string }) => ({ mediaId, rendition: 'p2048' }));
  const answer = await ask(viewerApi.url, browser, { visitId: head.visitId, items });
  const pieces: Buffer[] = [];
  let isSlow = true;
  const whole = (async () => {
    for await (const piece of answer) {
      pieces.push(piece);
      if (isSlow) await wait(pauseMs);
    }
    const headers = { 'content-type': answer.headers['content-type'] ?? '' };
    return readStream(new Response(Buffer.concat(pieces), { status: answer.statusCode ?? 0, headers }));
  })();
  return {
    /** Reads what is left as fast as it comes. @returns all of it */
    async readOn(): Promise<Streamed> {
      isSlow = false;
      return whole;
    },
  };
}

function ask(url: string, browser: Screen['browser'], body: object): Promise<http.IncomingMessage> {
  const headers = { 'user-agent': phone, origin: url, 'content-type': 'application/json', ...headersOf(browser) };
  return new Promise((done, failed) => {
    const request = http.request(`${url}/api/view/leases`, { method: 'POST', agent: false, headers }, done);
    request.once('error', failed).end(JSON.stringify(body));
  });
}
