import { hasAgreed, readVisitor, visitorCookie, visitorOf } from '#features/accounts/visitor.ts';
import { forgetVisitor, insertVisits, type Visit } from '#features/accounts/visits-store.ts';
import { networkOf } from '#features/audit/rules.ts';
import { hashKey, takeRate } from '#features/audit/store.ts';
import { partnerCookie } from '#features/referrals/rules.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { newToken } from '#kit/ids.ts';
import type { Context } from '#wire/context.ts';
import type { SentVisit } from './contract.ts';
import { sitePages } from './site-pages.ts';

const yearSeconds = 31_536_000;
const userAgentMax = 400;
/** Looks of one visitor and of one network in an hour that are noted; more than that is no reading. */
const most = { visitor: 120, network: 1200 };

/**
 * Notes what a visitor looks at who has agreed to it, and gives them a number to be told from others by. Whoever has not agreed, or
 * looks at too much, gets the same answer. What goes wrong is logged, and never reaches them.
 */
export async function noteVisits(context: Context, sent: readonly SentVisit[]): Promise<void> {
  const { engines, caller, now, asSystem, setCookie, requestId } = context;
  if (!hasAgreed(caller.cookie)) return;
  const known = visitorOf(caller.cookie);
  const vid = known ?? newToken();
  try {
    if ((await settingsOf(engines))['marketing.countVisits'] === 0) return;
    if (await isTooMuch(context, known, sent.length)) return;
    const { publicUrl } = engines.installation;
    const visits = sent.map((visit) => cleanVisit(visit, publicUrl));
    const userAgent = caller.userAgent.slice(0, userAgentMax);
    await asSystem((tx) => insertVisits(tx, { vid, userAgent, visits, now }));
    if (known === undefined) setCookie(visitorCookie, vid, { maxAgeSeconds: yearSeconds });
  } catch (error) {
    engines.log.warn({ requestId, err: error }, 'visits were not noted');
  }
}

/** Takes a visitor's number and their partner's code back, and forgets what was noted under it; where nothing can be that number, only the cookie goes. */
export async function forgetVisits({ caller, asSystem, clearCookie }: Context): Promise<void> {
  clearCookie(partnerCookie);
  if (caller.cookie(visitorCookie) === undefined) return;
  const vid = readVisitor(caller.cookie);
  if (vid !== undefined) await asSystem((tx) => forgetVisitor(tx, vid));
  clearCookie(visitorCookie);
}

async function isTooMuch(
  { engines, caller, now, asSystem }: Context,
  vid: string | undefined,
  cost: number,
): Promise<boolean> {
  const rate = (key: string, limit: number) => ({ key, limit, windowSeconds: 3600, now, cost });
  return asSystem(async (tx) => {
    const ofNetwork = hashKey(engines.keys, 'visits_from', networkOf(caller.address));
    const taken = [await takeRate(tx, rate(ofNetwork, most.network))];
    if (vid !== undefined) taken.push(await takeRate(tx, rate(hashKey(engines.keys, 'visits_of', vid), most.visitor)));
    return taken.some(({ isOver }) => isOver);
  });
}

const pages: ReadonlySet<string> = new Set([...sitePages.map(({ address }) => address), '/auth']);

/** A page by its name: what else stands in an address may be a secret or somebody's name. */
export function namePage(path: string): string {
  const [bare = ''] = path.toLowerCase().split(/[?#]/, 1);
  const page = bare === '' ? bare : bare.replace(/(?<!\/)\/+$/, '') || '/';
  if (page.startsWith('/free-join/')) return '/free-join';
  return pages.has(page) ? page : '/404';
}

/** The site that somebody came from, without the page: that may say more than they want to tell. Nothing for one of our own. */
export function nameReferrer(referrer: string | undefined, publicUrl: string): string | null {
  if (referrer === undefined || !URL.canParse(referrer)) return null;
  const { protocol, origin } = new URL(referrer);
  const isOther = /^https?:$/.test(protocol) && origin !== new URL(publicUrl).origin;
  return isOther && origin.length <= 300 ? origin : null;
}

const cleanVisit = ({ path, referrer, utm }: SentVisit, publicUrl: string): Visit => {
  const named = Object.entries(utm ?? {}).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return {
    path: namePage(path),
    referrer: nameReferrer(referrer, publicUrl),
    utm: named.length === 0 ? null : Object.fromEntries(named),
  };
};
