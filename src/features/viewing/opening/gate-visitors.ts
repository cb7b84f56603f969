import type { FastifyInstance } from 'fastify';
import type { Engines } from '#engines/engines.ts';
import { createLru } from '#kit/lru.ts';
import { hourMs } from '#kit/time.ts';
import type { Context } from '#wire/context.ts';
import { firstFaultOf, type Mounting, sayRefusal } from '#wire/raw.ts';
import { GateShown } from '../contract.ts';
import { type GateVisit, insertGateVisits } from '../refused-store.ts';
import { callerKindOf } from '../user-agent.ts';
import { readViewerCookie } from '../viewer-cookie.ts';
import { namedNetworkOf } from './network-queues.ts';

const writeAfterMs = 1000;
/** Whoever makes up addresses and cookies fills no memory: what comes beyond in a second is not written down. */
const mostAtOnce = 1000;
/** Browsers of one network that are counted in an hour; hundreds of people may stand behind one address. */
const mostOfNetwork = 200;
/** The networks that have not come for longest are forgotten. */
const mostNetworks = 10_000;

const slugPattern = /^[A-Za-z0-9_-]{12,80}$/;

/** A link that could let somebody in asks for something; every other answer says that it could not. */
const isGate = (reason: string) => /^(NEED_|APPROVAL_|EMAIL_)/.test(reason);

/**
 * POST /api/view/:slug/gate: the viewer app has shown a gate or an end on a screen. The cookie that came with the answer is brought
 * along by then, so a browser is counted once; who brings none is nobody. Nothing is looked up: every slug is answered alike.
 */
export function mountGateVisitors(app: FastifyInstance, { engines, contextOf }: Mounting): void {
  const config = { who: ['visitor', 'viewer', 'creator', 'admin'] as const, subject: 'link' as const, neutral: true };
  const visitors = openGateVisitors(engines);
  app.addHook('onClose', visitors.write);
  app.post<{ Params: { slug: string } }>('/api/view/:slug/gate', { config }, async (request, reply) => {
    const context = contextOf(request, reply);
    const { data: shown, error } = GateShown.safeParse(request.query);
    if (shown === undefined) return sayRefusal(reply, 'VALIDATION', firstFaultOf(error));
    const { slug } = request.params;
    const browserHash = readViewerCookie(context);
    const who = await findPerson(context);
    if (who !== undefined && browserHash !== undefined && slugPattern.test(slug))
      visitors.note(
        { slug, browserHash, userId: who.userId, isAtGate: isGate(shown.reason), at: context.now },
        context.caller.address,
      );
    return reply.code(204).send();
  });
}

/** Whoever is counted as a person; undefined for programs and for support. */
async function findPerson({ actor, caller }: Context): Promise<{ userId: string | undefined } | undefined> {
  if (callerKindOf(caller.headers) !== 'person') return undefined;
  const who = await actor();
  if (who.kind === 'admin') return undefined;
  return { userId: who.kind === 'visitor' ? who.lockedUserId : who.userId };
}

/** Counts browsers after their answer, and many at once. What is not written down yet is gone when the process is killed. */
export function openGateVisitors({ database, log }: Pick<Engines, 'database' | 'log'>) {
  const networks = createLru<string, { sinceMs: number; browsers: Set<string> }>(mostNetworks);
  let visits = new Map<string, GateVisit>();
  let waiting: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  const isOfMany = (browser: string, address: string, nowMs: number) => {
    const network = namedNetworkOf(address);
    if (network === undefined) return false;
    let known = networks.get(network);
    if (known === undefined || nowMs - known.sinceMs >= hourMs)
      known = networks.set(network, { sinceMs: nowMs, browsers: new Set() });
    if (!known.browsers.has(browser) && known.browsers.size >= mostOfNetwork) return true;
    known.browsers.add(browser);
    return false;
  };
  const write = () => {
    clearTimeout(waiting);
    waiting = undefined;
    const noted = [...visits.values()];
    visits = new Map();
    if (noted.length > 0)
      writing = writing.then(() =>
        insertGateVisits(database, noted).catch((err: unknown) =>
          log.warn({ err }, 'visitors at gates were not counted'),
        ),
      );
    return writing;
  };
  return {
    note(visit: GateVisit, address: string): void {
      const browser = visit.browserHash.toString('base64');
      const key = `${visit.slug} ${browser}`;
      const before = visits.get(key);
      if (before === undefined && visits.size >= mostAtOnce) return;
      if (isOfMany(browser, address, visit.at.getTime())) return;
      visits.set(key, { ...visit, isAtGate: visit.isAtGate || before?.isAtGate === true });
      waiting ??= setTimeout(write, writeAfterMs).unref();
    },
    /** Writes down what there is. */
    write,
  };
}
