import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { mayAskAgain } from '#features/access/asked-rules.ts';
import { isAtRequest } from '#features/access/offer-steps.ts';
import { insertAccessRequests, isKnownRequester, withdrawAccessRequests } from '#features/access/requesting-store.ts';
import { type Decision, openAlbumsOf } from '#features/access/rules.ts';
import type { Question } from '#features/access/store.ts';
import { hashKey, takeRate } from '#features/audit/store.ts';
import { notifyAtOnce } from '#features/notices/notices-store.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { newId } from '#kit/ids.ts';
import { dayMs } from '#kit/time.ts';
import type { OpenRequest } from '../contract.ts';
import { type DeviceRow, keepViewer, type Passed } from './admissions-store.ts';
import { deviceRowOf, keepPass, type Opener } from './admit.ts';
import { isOvertaken } from './overtaken.ts';

const daySeconds = dayMs / 1000;
const system = { kind: 'system' } as const;

/** What a viewer wants of the creator's yes: to ask for it, or to take the question back. */
export type RequestStep = 'request' | 'withdraw';

/**
 * Returns the step that this call makes, where the creator's yes is what is missing; undefined where nothing was asked, where it
 * is asked already, or where a denied viewer may not ask again yet.
 */
export function requestStepOf(
  decision: Decision,
  question: Question,
  body: Pick<OpenRequest, 'accessRequest' | 'withdrawsRequest'>,
): RequestStep | undefined {
  if (!isAtRequest(decision, question)) return undefined;
  if (question.asked.request === 'pending') return body.withdrawsRequest === true ? 'withdraw' : undefined;
  return body.accessRequest !== undefined && canRequest(decision, question) ? 'request' : undefined;
}

/** Returns true where this viewer may ask the creator now: neither asked already, nor denied a moment ago. */
export const canRequest = (decision: Decision, question: Question): boolean => {
  const { asked, facts } = question;
  if (!isAtRequest(decision, question) || asked.request === 'pending') return false;
  return asked.request !== 'denied' || mayAskAgain(asked, facts.now);
};

/** What became of a request for access. `over`: too many today, by this viewer or by strangers. */
export type Requested = 'done' | 'again' | { over: 'viewer' | 'strangers' };

/** What somebody is answered whose request is one too many for a day. */
export const tooManyRequests = {
  retryAfter: daySeconds,
  message: "You've sent as many requests as you can in a day. Please try again tomorrow.",
} as const;

interface Requesting {
  question: Question;
  opener: Opener;
  passed: Passed;
  request: NonNullable<OpenRequest['accessRequest']>;
  /** Undefined where the address is a proxy's or this machine's own, which says nothing of whoever calls. */
  network: string | undefined;
  now: Date;
}

/** Stops a transaction whose request is one too many. */
class TooManyRequests extends Error {
  readonly whose: 'viewer' | 'strangers';
  constructor(whose: TooManyRequests['whose']) {
    super(whose);
    this.whose = whose;
  }
}

/**
 * Sends a viewer's request for the albums of a link that are not open to them, with everything that is kept about them, in one
 * transaction. It is bound to the browser's cookie: what is granted opens for whoever asked.
 */
export async function requestAccess(engines: Engines, requesting: Requesting): Promise<Requested> {
  const settings = await settingsOf(engines);
  const limits = {
    ofViewer: settings['access.requestsPerDay'],
    ofStrangers: settings['access.strangersPerDay'],
    days: settings['access.requestDays'],
  };
  try {
    await engines.database.work(system, (tx) => keepRequest(engines, tx, requesting, limits));
    return 'done';
  } catch (error) {
    if (error instanceof TooManyRequests) return { over: error.whose };
    if (isOvertaken(error)) return 'again';
    throw error;
  }
}

interface Limits {
  ofViewer: number;
  ofStrangers: number;
  days: number;
}

async function keepRequest(engines: Engines, tx: Tx, requesting: Requesting, limits: Limits): Promise<void> {
  const { question, opener, passed, request, network, now } = requesting;
  const { creatorId, linkId, link, facts } = question;
  const device = deviceRowOf(question, opener, now);
  const { viewerId } = device;
  await keepViewer(tx, device, passed.age, now);
  await Promise.all(keepPass(tx, question, device, passed, now));
  const open = openAlbumsOf(link, facts);
  const made = await insertAccessRequests(tx, {
    albumIds: link.albumIds.filter((albumId) => !open.has(albumId)),
    creatorId,
    linkId,
    viewerId,
    groupId: newId(now.getTime()),
    name: request.name,
    message: request.message,
    email: request.email,
    device: {
      userAgent: device.browser,
      platform: device.system,
      fingerprint: fingerprintOf(engines, creatorId, device),
    },
    // An estimate by the time zone is no place.
    country: opener.place.source === 'timezone' ? undefined : device.country,
    now,
    expiresAt: new Date(now.getTime() + limits.days * dayMs),
  });
  if (made === 0) return;
  await takeTurn(engines, tx, { creatorId, viewerId, network, limits, now });
  await tx.publish({ kind: 'access.requested', creatorId, linkId });
  const notice = { event: 'access_request', linkId } as const;
  await notifyAtOnce(tx, engines.jobs, { userId: creatorId, notice, now: new Date(engines.clock()) });
}

/** What kind of device asks, as evidence that opens nothing: a keyed hash for each creator, without a moment in it. */
const fingerprintOf = (
  { keys }: Engines,
  creatorId: string,
  { browser, system, screen, timeZone }: DeviceRow,
): string => hashKey(keys, 'access.device', [creatorId, browser, system, screen, timeZone].join('\0'));

/** Which part of a creator's strangers one network may be: whoever has one address alone does not use up everybody's day. */
const networkShare = 4;

type Turn = Pick<Requesting, 'network' | 'now'> & { creatorId: string; viewerId: string; limits: Limits };

/** Counts a request of a viewer, and one of a stranger for its network and its creator. @throws TooManyRequests */
async function takeTurn({ keys }: Engines, tx: Tx, { creatorId, viewerId, network, limits, now }: Turn): Promise<void> {
  const day = { windowSeconds: daySeconds, now };
  const own = await takeRate(tx, { key: hashKey(keys, 'access.viewer', viewerId), limit: limits.ofViewer, ...day });
  if (own.isOver) throw new TooManyRequests('viewer');
  if (await isKnownRequester(tx, creatorId, viewerId)) return;
  if (network !== undefined) {
    const ofNetwork = {
      key: hashKey(keys, 'access.strangersOfNetwork', `${creatorId} ${network}`),
      limit: Math.ceil(limits.ofStrangers / networkShare),
    };
    if ((await takeRate(tx, { ...ofNetwork, ...day })).isOver) throw new TooManyRequests('strangers');
  }
  const key = hashKey(keys, 'access.strangers', creatorId);
  const strangers = await takeRate(tx, { key, limit: limits.ofStrangers, ...day });
  if (strangers.isOver) throw new TooManyRequests('strangers');
}

/** Takes a viewer's pending request back, and tells the creator's open pages. */
export async function withdrawRequest({ database }: Engines, { linkId, creatorId, viewer }: Question): Promise<void> {
  if (viewer === undefined) return;
  await database.work(system, async (tx) => {
    if ((await withdrawAccessRequests(tx, linkId, viewer.viewerId)) > 0)
      await tx.publish({ kind: 'access.withdrawn', creatorId, linkId });
  });
}
