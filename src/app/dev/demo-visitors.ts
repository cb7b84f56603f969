import { createHmac } from 'node:crypto';
import type { Engines } from '#engines/engines.ts';
import { viewerCookieName } from '#features/viewing/viewer-cookie.ts';
import { createLive } from '#wire/live.ts';
import { createServer } from '../server/server.ts';
import type { Device } from './demo-people.ts';
import { lookThrough, type Shown, type Visit } from './demo-screen.ts';

/** People who look through links, by the same calls as their screens make them. */
export interface Visitors {
  /** @returns what was looked at, as it came onto the screen */
  visit(visit: Visit): Promise<Shown[]>;
  /** A program that fetches addresses for previews. */
  preview(slug: string, at: Date): Promise<void>;
  close(): Promise<void>;
}

const previewer = { address: '157.240.20.52', userAgent: 'WhatsApp/2.25.2 A' };

/** A second server of the product without a port, whose clock stands where the visit is that goes on. */
export async function openVisitors(engines: Engines): Promise<Visitors> {
  const time = { now: engines.clock() };
  const clock = () => time.now;
  // Calls that nobody made from outside are no lines of the log.
  const log = {
    info: () => undefined,
    warn: engines.log.warn.bind(engines.log),
    error: engines.log.error.bind(engines.log),
  };
  const live = createLive(clock);
  const app = await createServer({ ...engines, log, clock, linkClock: clock }, live, {
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
