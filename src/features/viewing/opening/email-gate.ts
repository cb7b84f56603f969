import type { Engines } from '#engines/engines.ts';
import type { Question } from '#features/access/store.ts';
import { slowNetwork, takeMail } from '#features/accounts/limits.ts';
import { hashKey, takeRate } from '#features/audit/store.ts';
import { proofCodeEmail } from '#features/notices/emails.ts';
import { noteNotice } from '#features/notices/notices-store.ts';
import { newId } from '#kit/ids.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { hasMailedCode, mailCode, tryMailedCode } from '../mailed-codes.ts';
import { countWrongMailedCode } from '../refused-store.ts';
import { proofCodeMinutes } from '../rules.ts';
import { giveViewerCookie } from '../viewer-cookie.ts';
import { isDeviceConflict, keepViewer } from './admissions-store.ts';
import { deviceRowOf, type Opener } from './admit.ts';
import {
  findOwner,
  gateCodes,
  isOwnerConflict,
  keepEmail,
  keepEmailPass,
  ProvenElsewhere,
  takePassesAlong,
  takeRequestsAlong,
} from './email-gate-store.ts';
import type { Prover, Unproven } from './password-proof.ts';

/** Between two emails to one address, whatever link they are for. */
const resendSeconds = 30;
const hourSeconds = 3600;
const daySeconds = 24 * hourSeconds;
/** Emails to one address in a day, whatever links they are for. */
const mailsOfAddress = 40;
/** Emails in an hour that one network has sent for one link. */
const mailsOfNetwork = 30;
/** Two browsers that prove one address at the same moment are one viewer: the second is looked at again. */
const mostRounds = 3;

/** What became of the email gate: something is missing, or an address was proven just now. */
export type EmailMet = { unproven?: Unproven; provenEmail?: string };

/**
 * Asks for an address and for the code that was sent to it. Every address is answered alike: whether the link is for it is only
 * said to who has proven it.
 * @param isRefused an address was proven, and the link is not for it: another one may be
 * @throws RATE_LIMITED when an email was asked for too soon or too often
 */
export async function meetEmail(
  engines: Engines,
  { linkId, facts }: Question,
  { context, secretHash, network, now, body }: Prover,
  isRefused: boolean,
): Promise<EmailMet> {
  const { email, emailCode } = body;
  const of = { subjectId: linkId, browserHash: secretHash };
  if (email === undefined && emailCode === undefined) {
    if (await hasMailedCode(engines, gateCodes, { ...of, now })) return { unproven: { step: 'code' } };
    return isRefused ? {} : { unproven: { step: 'address', isByGate: true } };
  }
  if (!facts.keepsCookie) return { unproven: { step: 'cookie' } };
  if (email !== undefined) {
    await takeMails(context, linkId, network, email);
    await mailCode(context, gateCodes, { ...of, email, codeMinutes: proofCodeMinutes, write: proofCodeEmail });
    return { unproven: { step: 'code', isJustSent: true } };
  }
  const tried = await tryMailedCode(context, gateCodes, { ...of, code: emailCode ?? '' });
  if (tried.is === 'none') return { unproven: { step: 'address', isOver: true } };
  if (tried.is === 'wrong') {
    await context.asSystem((tx) => countWrongMailedCode(tx, linkId, now));
    return { unproven: { step: 'code', triesLeft: tried.triesLeft } };
  }
  const isFirst = await context.asSystem((tx) => gateCodes.spend(tx, tried.id));
  return isFirst ? { provenEmail: tried.email } : { unproven: { step: 'address', isOver: true } };
}

/** Emails that a network has sent for a link, as they are counted. */
export const networkMailsKey = ({ keys }: Pick<Engines, 'keys'>, link: string, network: string): string =>
  hashKey(keys, 'viewing.gateNetwork', `${link} ${network}`);

/**
 * Counts an email to an address. What is asked for at one link uses up nothing of another one, so that no stranger can keep
 * somebody from their code.
 * @param link its id, or its slug where it may be nobody's
 * @throws RATE_LIMITED
 */
export async function takeMails(context: Context, link: string, network: string, email: string): Promise<void> {
  const { engines, now, asSystem } = context;
  context.waitOutside();
  await slowNetwork(context, 'email_gate');
  const limits = [
    [hashKey(engines.keys, 'viewing.gate', email), 1, resendSeconds],
    [hashKey(engines.keys, 'viewing.gateDay', email), mailsOfAddress, daySeconds],
    [networkMailsKey(engines, link, network), mailsOfNetwork, hourSeconds],
  ] as const;
  await takeMail(context, `mail_gate ${link}`, email, resendSeconds);
  for (const [key, limit, windowSeconds] of limits) {
    const rate = await asSystem((tx) => takeRate(tx, { key, limit, windowSeconds, now }));
    if (rate.isOver)
      throw refuse('RATE_LIMITED', {
        retryAfter: rate.retryAfterSeconds,
        message: 'Too many codes were asked for. Please try again later.',
      });
  }
}

/** A browser that has just proven an address at a link. */
export interface Proven {
  question: Question;
  opener: Opener;
  email: string;
  isAdult: boolean;
  now: Date;
}

/**
 * Writes down that an address was proven. It belongs to one viewer, and the link's places, visits and time are theirs: a
 * browser without a past of its own becomes one more of them, and so does every one at a link that knows them.
 * @returns how this browser is known from now on: a device of one viewer never becomes another's, so it may get a new secret
 */
export async function keepProvenEmail(engines: Engines, context: Context, proven: Proven): Promise<Buffer> {
  for (let round = 1; ; round++) {
    try {
      return await keepOnce(engines, context, proven);
    } catch (error) {
      if (round === mostRounds || !(isOwnerConflict(error) || isDeviceConflict(error))) throw error;
    }
  }
}

function keepOnce(engines: Engines, context: Context, { question, opener, email, isAdult, now }: Proven) {
  const { linkId, policyVersion } = question;
  const known = question.viewer?.viewerId;
  return engines.database.work({ kind: 'system' }, async (tx) => {
    const owner = await findOwner(tx, { email, linkId, viewerId: known });
    const joins = owner !== undefined && owner.viewerId !== known && (owner.isBound || !owner.hasOwnPast);
    const isMoved = joins && known !== undefined;
    const secretHash = isMoved ? giveViewerCookie(context) : opener.secretHash;
    const viewer = joins ? { viewerId: owner.viewerId, deviceId: newId(now.getTime()) } : question.viewer;
    const device = deviceRowOf({ viewer }, { ...opener, secretHash }, now);
    const { viewerId } = device;
    await keepViewer(tx, device, isAdult, now);
    const isTheirs = joins || (await keepEmail(tx, viewerId, email, now));
    if (!isTheirs && owner === undefined) throw new ProvenElsewhere();
    if (isMoved) {
      await takePassesAlong(tx, linkId, known, viewerId);
      await takeRequestsAlong(tx, known, viewerId);
    }
    await keepEmailPass(tx, { linkId, viewerId, policyVersion, email, now });
    return secretHash;
  });
}

/** Tells a creator that an address was proven which a link isn't for: once a day for each link, never which address. */
export async function noteWrongAddress(engines: Engines, { linkId, creatorId }: Question, now: Date): Promise<void> {
  await engines.database.work({ kind: 'system' }, async (tx) => {
    const once = { key: `viewing.wrongAddress:${linkId}`, limit: 1, windowSeconds: daySeconds, now };
    if ((await takeRate(tx, once)).isOver) return;
    const notice = { event: 'wrong_address', linkId } as const;
    await noteNotice(tx, { userId: creatorId, notice, now: new Date(engines.clock()) });
  });
}
