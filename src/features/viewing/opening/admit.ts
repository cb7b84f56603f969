import { randomBytes } from 'node:crypto';
import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import type { Place } from '#engines/geoip/geoip.ts';
import { termsFor } from '#features/access/bought.ts';
import { viewerLimitOf } from '#features/access/policy.ts';
import { type Decision, visitGapMs } from '#features/access/rules.ts';
import type { Question } from '#features/access/store.ts';
import { insertAcceptance } from '#features/links/agreements-store.ts';
import { screenAliveMs } from '#features/links/rules.ts';
import { codewordsOf, type Grant } from '#features/media/codewords.ts';
import { insertLeases } from '#features/media/leases-store.ts';
import { newId } from '#kit/ids.ts';
import { dayMs } from '#kit/time.ts';
import { findItemsOfLink, type ItemRow } from '../leases/items-store.ts';
import { type Lending, leaseEndsAt, lend, type Terms } from '../leases/lending.ts';
import { resumeCodeLength, resumeCodeOf } from '../rules.ts';
import type { DeviceKind } from '../user-agent.ts';
import { continueVisit, endVisit, findOtherScreens, insertVisit, type VisitStart } from '../visits-store.ts';
import {
  countReturn,
  type DeviceRow,
  insertAdmission,
  keepGatePass,
  keepViewer,
  type Passed,
} from './admissions-store.ts';
import { hashCode } from './code-hash.ts';
import { isOvertaken } from './overtaken.ts';

const resumeCodeMs = 30 * dayMs;

/** Who opens, as far as the request tells. */
export interface Opener {
  secretHash: Buffer;
  device: DeviceKind;
  place: Place;
  timeZone: string | undefined;
  screen: string | undefined;
  suspect: 'own' | 'admin' | 'automation' | undefined;
}

/** Somebody who was let in, and what is lent to them first. */
export interface Admitted {
  grant: Grant;
  visitId: string;
  viewerId: string;
  items: ItemRow[];
  lendings: Lending[];
  /** Only the first time. */
  resumeCode: string | undefined;
}

/** Another call was quicker: the facts are no longer what was decided on. */
class ConcurrentChange extends Error {}

/** Ids of this browser: known ones, or new ones that become rows with the first fact worth keeping. */
export function deviceRowOf(question: Pick<Question, 'viewer'>, opener: Opener, now: Date): DeviceRow {
  const { secretHash, device, place, timeZone, screen } = opener;
  const { browser, system, inApp } = device;
  const { viewerId, deviceId } = question.viewer ?? { viewerId: newId(now.getTime()), deviceId: newId(now.getTime()) };
  return { viewerId, deviceId, secretHash, browser, system, inApp, country: place.country, timeZone, screen };
}

/** Keeps the gates that somebody passed who is not let in yet. */
export async function keepGates(
  engines: Engines,
  question: Question,
  opener: Opener,
  passed: Passed,
  now: Date,
): Promise<void> {
  const device = deviceRowOf(question, opener, now);
  await work(engines, async (tx) => {
    await Promise.all([keepViewer(tx, device, passed.age, now), ...keepPass(tx, question, device, passed, now)]);
  });
}

/** Keeps what was said at the gates with this call. */
export function keepPass(
  tx: Tx,
  { linkId, creatorId }: Question,
  { viewerId }: DeviceRow,
  { passwordVersion, agreed }: Passed,
  now: Date,
): Promise<void>[] {
  const of = { id: newId(now.getTime()), linkId, creatorId, viewerId, now };
  return [
    ...(passwordVersion === undefined ? [] : [keepGatePass(tx, linkId, viewerId, passwordVersion, now)]),
    ...(agreed === undefined
      ? []
      : [insertAcceptance(tx, { ...of, agreementId: agreed.agreementId, typedName: agreed.name || null })]),
  ];
}

/** What is decided and known when somebody is let in. */
export interface Admitting {
  question: Question;
  decision: Extract<Decision, { ok: true }>;
  passed: Passed;
  takesOver: boolean;
  firstScreen: number;
  terms: Terms;
  now: Date;
}

/**
 * Lets somebody in who was decided to be: admission, visit, leases and their log in one transaction.
 * @returns undefined when another call was quicker: the facts must be read again
 */
export async function admit(engines: Engines, opener: Opener, admitting: Admitting): Promise<Admitted | undefined> {
  const { question, now, firstScreen } = admitting;
  const { linkId, creatorId } = question;
  const items = await findItemsOfLink(engines.database, linkId, firstScreen);
  const grant: Grant = { grantId: question.grantId ?? newId(now.getTime()), creatorId, linkId };
  const code = resumeCodeOf(randomBytes(resumeCodeLength));
  const device = deviceRowOf(question, opener, now);
  const visit = visitOf(admitting, opener, grant, device);
  const lendings = lend(
    items.slice(0, firstScreen).flatMap((item) => keyedPackOf(item, creatorId)),
    now,
  );
  const commitment = question.grantId === undefined ? await codewordsOf(engines).commit(grant) : undefined;
  const isIn = await work(engines, async (tx) => {
    const holder = { grantId: grant.grantId, creatorId, visitId: visit.visitId };
    const times = { now, expiresAt: leaseEndsAt(now, admitting.terms, admitting.decision.until) };
    const rows = lendings.map(({ row }) => row);
    if (admitting.takesOver) await closeOthers(tx, visit);
    // One after another on their way, not one after another's answer: the first that fails or says no undoes them all.
    const written = await Promise.all([
      ...(commitment === undefined
        ? comeBack(tx, admitting, visit, device)
        : comeFirst(tx, { admitting, visit, device, commitment, code })),
      visitGoesOn(question) ? continueVisit(tx, visit) : insertVisit(tx, visit),
      ...(rows.length > 0 ? [insertLeases(tx, holder, rows, times)] : []),
    ]);
    if (written.includes(false)) throw new ConcurrentChange();
  });
  if (!isIn) return undefined;
  const resumeCode = commitment === undefined ? undefined : code;
  return { grant, visitId: visit.visitId, viewerId: device.viewerId, items, lendings, resumeCode };
}

const visitGoesOn = ({ visit }: Question) => visit?.goesOn === true;

/** What was decided by: whoever has bought is held to what they bought. */
const boundBy = ({ link, facts }: Question) => termsFor(link, facts);

/** One transaction of the system; false when its facts were overtaken. */
async function work(engines: Engines, run: (tx: Tx) => Promise<void>): Promise<boolean> {
  try {
    await engines.database.work({ kind: 'system' }, run, { repeatable: true });
    return true;
  } catch (error) {
    if (error instanceof ConcurrentChange || isOvertaken(error)) return false;
    throw error;
  }
}

interface First {
  admitting: Admitting;
  visit: VisitStart;
  device: DeviceRow;
  commitment: Buffer;
  code: string;
}

/** False among what it answers means that the link has ended or is full. */
function comeFirst(tx: Tx, { admitting, visit, device, commitment, code }: First): Promise<unknown>[] {
  const { question, passed, now } = admitting;
  const { grantId, linkId, creatorId, viewerId, policyVersion } = visit;
  const resumeCode = {
    id: newId(now.getTime()),
    hash: hashCode(code),
    expiresAt: new Date(now.getTime() + resumeCodeMs),
  };
  const isOwn = visit.suspect === 'own' || visit.suspect === 'admin';
  const most = viewerLimitOf(boundBy(question));
  const places = Number.isFinite(most) ? most : undefined;
  const admission = { grantId, linkId, creatorId, viewerId, policyVersion, commitment, places, isOwn, resumeCode, now };
  return [
    keepViewer(tx, device, passed.age, now),
    ...keepPass(tx, question, device, passed, now),
    insertAdmission(tx, admission),
  ];
}

/** False among what it answers means that the last visit was used up. */
function comeBack(tx: Tx, admitting: Admitting, visit: VisitStart, device: DeviceRow): Promise<unknown>[] {
  const { question, passed, now } = admitting;
  const { grantId, linkId, viewerId, deviceId } = visit;
  const isNewVisit = !visitGoesOn(question);
  const { maxVisits: most } = boundBy(question);
  const maxVisits = most && most + question.usedBefore.visits;
  const isOwn = visit.suspect !== undefined;
  return [
    ...(passed.age ? [keepViewer(tx, device, true, now)] : []),
    ...keepPass(tx, question, device, passed, now),
    countReturn(tx, { grantId, linkId, viewerId, deviceId, isOwn, isNewVisit, maxVisits, now }),
  ];
}

/** "Continue here": the viewer's other screens close. */
async function closeOthers(tx: Tx, { grantId, deviceId, now }: VisitStart): Promise<void> {
  for (const visitId of await findOtherScreens(tx, grantId, deviceId))
    await endVisit(tx, { visitId, state: 'closed', reason: 'replaced', now, closesScreen: true });
}

function visitOf(
  { question, decision, now, terms }: Admitting,
  opener: Opener,
  { grantId }: Grant,
  device: DeviceRow,
): VisitStart {
  const { linkId, creatorId, policyVersion, visit } = question;
  return {
    visitId: visit?.goesOn ? visit.visitId : newId(now.getTime()),
    grantId,
    linkId,
    creatorId,
    viewerId: device.viewerId,
    deviceId: device.deviceId,
    policyVersion,
    via: decision.via,
    place: opener.place,
    inApp: opener.device.inApp,
    browser: opener.device.browser,
    system: opener.device.system,
    suspect: opener.suspect,
    maxConcurrent: boundBy(question).maxConcurrent,
    aliveSince: new Date(now.getTime() - screenAliveMs(terms.renewMs)),
    continuableSince: new Date(now.getTime() - visitGapMs),
    now,
  };
}

/** The small picture of an item whose key came with the list. */
function keyedPackOf({ keyId, wrapped, packId, mediaId, rendition, path, columns, rows }: ItemRow, creatorId: string) {
  if (keyId === null || wrapped === null) return [];
  return [{ id: packId, creatorId, mediaId, rendition, path, columns, rows, keyId, wrapped }];
}
