import { createHmac } from 'node:crypto';
import type { Engines } from '#engines/engines.ts';
import { refundPromise, renewalTerms } from '#features/notices/refund-promise.ts';
import { viewerCookieName } from '#features/viewing/viewer-cookie.ts';
import { createLive } from '#wire/live.ts';
import { createServer } from '../server/server.ts';
import type { Past } from './demo-past.ts';
import type { Device, Person } from './demo-people.ts';
import { lookThrough, type Shown, type Visit } from './demo-screen.ts';

/** What somebody pays, and where. */
export interface Payment {
  who: Person;
  email: string;
  slug: string;
  at: Date;
  /** What the page sends when Pay is tapped. */
  params: { offerId: string; amountCents: number; tierId?: string; message?: string; isAnonymous?: boolean };
}

/** People who look through links, by the same calls as their screens make them. */
export interface Visitors {
  /** Pays at a link's door with a test card. */
  pay(payment: Payment): Promise<void>;
  /** @returns what was looked at, as it came onto the screen */
  visit(visit: Visit): Promise<Shown[]>;
  /** Asks a link's creator for access. @throws where the question is not taken */
  ask(question: { who: Person; slug: string; at: Date; name: string; message: string }): Promise<void>;
  /** Calls a procedure in somebody's browser: `requests/ask`. @throws where the answer is no */
  call(who: Person, at: Date, procedure: string, input: object): Promise<Record<string, unknown>>;
  /** A program that fetches addresses for previews. */
  preview(slug: string, at: Date): Promise<void>;
  close(): Promise<void>;
}

const previewer = { address: '157.240.20.52', userAgent: 'WhatsApp/2.25.2 A' };

export const testCard = '4242424242424242';

const mostTries = 5;

/** Pays, and once more where the present has ended an order of the past before its page was made. */
export async function payUntil(wanted: string, pay: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries++) {
    const state = await pay();
    if (state === wanted) return;
    if (tries === mostTries) throw new Error(`a payment is ${state}`);
  }
}

/** Calls that nobody made from outside are no lines of the log. */
const quiet = (log: Engines['log']): Engines['log'] => ({
  info: () => undefined,
  warn: log.warn.bind(log),
  error: log.error.bind(log),
});

/** A second server of the product without a port, whose clock stands where the visit is that goes on. */
export async function openVisitors({ engines, time }: Past): Promise<Visitors> {
  const { clock } = engines;
  const log = quiet(engines.log);
  const live = createLive(clock);
  const app = await createServer({ ...engines, log }, live, {
    trustedProxies: undefined,
    patience: { loopMs: 0, poolMs: 0 },
  });
  const { host } = new URL(engines.installation.publicUrl);
  const post = async (from: Pick<Device, 'address' | 'userAgent'>, cookie: string, url: string, payload: object) => {
    const headers = { host, cookie, 'user-agent': from.userAgent, 'x-csrf-token': 'orpc' };
    const answer = await app.inject({ method: 'POST', url, remoteAddress: from.address, headers, payload });
    return { status: answer.statusCode, bytes: answer.rawPayload };
  };
  return {
    visit(visit) {
      const { device, name } = visit.who;
      const cookie = cookieOf(engines, name);
      return lookThrough(visit, { time, ask: (url, payload) => post(device, cookie, url, payload) });
    },
    async pay({ who: { name, device }, email, slug, at, params }) {
      time.now = at.getTime();
      const ask = async (url: string, payload: object) => {
        const { status, bytes } = await post(device, cookieOf(engines, name), url, payload);
        if (status !== 200) throw new Error(`${url}: ${status} ${bytes.toString().slice(0, 200)}`);
        return JSON.parse(String(bytes));
      };
      const door = `/api/view/${slug}`;
      await ask(`${door}/open`, { isAdult: true });
      await payUntil('done', async () => {
        const shownTerms = params.tierId === undefined ? refundPromise : renewalTerms;
        const { url } = await ask(`${door}/checkout`, { ...params, shownTerms, timeZone: device.timeZone });
        const sessionId = String(url).split('/').at(-1) ?? '';
        await engines.sandbox?.pay(sessionId, { email, card: testCard });
        return (await ask('/rpc/viewing/checkoutStatus', { json: { sessionId } })).json.state;
      });
    },
    async ask({ who: { name: browser, device }, slug, at, name, message }) {
      time.now = at.getTime();
      const said = { isAdult: true, accessRequest: { name, message } };
      const url = `/api/view/${slug}/open`;
      const { status, bytes } = await post(device, cookieOf(engines, browser), url, said);
      if (!bytes.includes('APPROVAL_PENDING')) throw new Error(`${url}: ${status} ${bytes.toString().slice(0, 200)}`);
    },
    async call({ name, device }, at, procedure, input) {
      time.now = at.getTime();
      const { status, bytes } = await post(device, cookieOf(engines, name), `/rpc/${procedure}`, { json: input });
      if (status !== 200) throw new Error(`${procedure}: ${status} ${bytes.toString().slice(0, 200)}`);
      return JSON.parse(String(bytes)).json;
    },
    async preview(slug, at) {
      time.now = at.getTime();
      await post(previewer, '', `/api/view/${slug}/open`, {});
    },
    async close() {
      live.close();
      await app.close();
    },
  };
}

/** The same in every attempt, so that a demo that was broken off goes on with the people that it had. */
function cookieOf(engines: Engines, name: string): string {
  const secret = createHmac('sha256', engines.secrets[0]).update(`demo viewer ${name}`).digest('base64url');
  return `${viewerCookieName(engines)}=${secret}`;
}
