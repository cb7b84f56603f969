import { setTimeout as wait } from 'node:timers/promises';
import { refundPromise } from '#features/notices/refund-promise.ts';
import { goodCard } from '#tests/support/money/selling.ts';
import { phoneAgent } from './viewer.ts';

/** How long one buyer waited for each answer, and how often they were asked to come again. */
export interface Bought {
  timesMs: number[];
  shed: number;
}

const shortPauseMs = 1000;
const mostTries = 120;

/** Returns what a browser sends: JSON as our pages do, a form, or nothing. */
function requestOf(body: object | undefined, cookies: ReadonlyMap<string, string>): RequestInit {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = { 'x-csrf-token': 'orpc', 'user-agent': phoneAgent, cookie };
  if (body === undefined) return { headers, redirect: 'manual' };
  if (body instanceof URLSearchParams) return { method: 'POST', headers, redirect: 'manual', body };
  const asJson = { ...headers, 'content-type': 'application/json' };
  return { method: 'POST', headers: asJson, redirect: 'manual', body: JSON.stringify(body) };
}

/** One browser; a machine that is too busy is asked again. */
function openBrowser(url: string, bought: Bought) {
  const cookies = new Map<string, string>();
  return async (path: string, body: object | undefined, wanted: number): Promise<string> => {
    const began = performance.now();
    for (let tries = 0; tries < mostTries; tries++) {
      const answer = await fetch(new URL(path, url), requestOf(body, cookies));
      const text = Buffer.from(await answer.arrayBuffer()).toString();
      if (answer.status === 503) {
        bought.shed++;
        await wait(shortPauseMs);
        continue;
      }
      bought.timesMs.push(performance.now() - began);
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
      if (answer.status !== wanted) throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`);
      return text;
    }
    throw new Error(`${path}: too busy for two minutes`);
  };
}

/** Somebody new opens a link, is asked for a tip, pays it, comes back and looks: each call as the pages make it. */
export async function buyOnce(url: string, slug: string, name: string, bought: Bought): Promise<void> {
  const ask = openBrowser(url, bought);
  const open = `/api/view/${slug}/open`;
  await ask(open, { isAdult: true }, 200);
  await ask(open, { isAdult: true }, 200);
  const params = { offerId: 'tip', amountCents: 1000, shownTerms: refundPromise };
  const { pathname } = new URL(JSON.parse(await ask(`/api/view/${slug}/checkout`, params, 200)).url);
  await ask(pathname, undefined, 200);
  await ask(pathname, new URLSearchParams({ email: `${name}@example.com`, card: goodCard }), 303);
  const sessionId = pathname.split('/').at(-1) ?? '';
  const status = await ask('/api/v1/view/checkout-status', { sessionId }, 200);
  if (JSON.parse(status).state !== 'done') throw new Error(`The payment is ${status}`);
  const opened = await ask(open, {}, 200);
  if (opened.includes('NEED_OFFER')) throw new Error(`It is not open: ${opened.slice(0, 200)}`);
}
