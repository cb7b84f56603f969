import { slowNetwork, takeMail } from '#features/accounts/limits.ts';
import { hashKey, takeRate } from '#features/audit/store.ts';
import { dataCodeEmail } from '#features/notices/account-state-emails.ts';
import { checkMailedCode, mailCode } from '#features/viewing/mailed-codes.ts';
import { readViewerCookie } from '#features/viewing/viewer-cookie.ts';
import { maskEmail } from '#kit/text.ts';
import { dayMs } from '#kit/time.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import type { DataAct, MyData } from '../my-data-contract.ts';
import { beginErasure } from './beginning.ts';
import { dataCodes } from './data-codes-store.ts';
import { findPersonEffects } from './effects-store.ts';
import { findErasureOf, keepPerson } from './erasures-store.ts';
import { nameOwnFile, writeOwnFile } from './export-person.ts';
import { findPerson, findPersonOfBrowser, type KnownPerson, unknownPerson } from './person-store.ts';

/** Returns who uses this browser. */
async function findMe(context: Context): Promise<KnownPerson> {
  const secretHash = readViewerCookie(context);
  if (secretHash === undefined) return unknownPerson;
  return context.asSystem((tx) => findPersonOfBrowser(tx, secretHash));
}

const isKnown = ({ viewerIds, buyerId }: KnownPerson) => viewerIds.length > 0 || buyerId !== null;

/** What is kept of whoever uses this browser, in short, and what erasing it does. */
export async function showMine(context: Context): Promise<MyData> {
  const person = await findMe(context);
  const { effects, erasure } = await context.asSystem(async (tx) => ({
    effects: await findPersonEffects(tx, person, context.now),
    // An address that was only typed says nothing of what was asked for under it.
    erasure: await findErasureOf(tx, person.isProven ? person : { ...person, email: null }),
  }));
  return {
    isKnown: isKnown(person),
    address: person.email === null ? null : maskEmail(person.email),
    effects,
    eraseAt: erasure?.eraseAt ?? null,
    isErasing: erasure?.state === 'erasing',
  };
}

/** Mails a code to the address of whoever uses this browser. @throws NOT_FOUND where none is known, RATE_LIMITED */
export async function mailDataCode(context: Context, act: DataAct): Promise<{ resendAfterMs: number }> {
  await slowNetwork(context, 'my_data');
  const { email } = await findMe(context);
  if (email === null) throw refuse('NOT_FOUND');
  await takeMail(context, 'mail_data', email);
  return mailCode(context, dataCodes, { subjectId: act, email, write: (code) => dataCodeEmail({ ...code, act }) });
}

/** Somebody who has shown that they may act for themselves, and how the code that showed it is used up. */
interface Proven {
  person: KnownPerson;
  codeId: string | undefined;
}

/**
 * Checks that it is they who act: by a code that was mailed to their address. Where no address leads to them the browser is all
 * that there is, and enough.
 * @throws NOT_FOUND, GONE, VALIDATION
 */
async function proveMe(context: Context, act: DataAct, code: string | undefined): Promise<Proven> {
  await slowNetwork(context, 'my_data');
  const person = await findMe(context);
  if (!isKnown(person)) throw refuse('NOT_FOUND');
  if (person.email === null) return { person, codeId: undefined };
  const proven = await checkMailedCode(context, dataCodes, { subjectId: act, code: code ?? '', field: 'code' });
  // The browser may have proven another address since the code was mailed.
  if (proven.email !== person.email) throw refuse('GONE', { message: 'This code has expired. Ask for a new one.' });
  return { person: await findWhole(context, person), codeId: proven.id };
}

/** Everybody whom the address of somebody leads to, who has just shown that it is theirs. */
async function findWhole({ asSystem }: Context, { email, viewerIds }: KnownPerson): Promise<KnownPerson> {
  const whole = await asSystem((tx) => findPerson(tx, { email, viewerId: viewerIds[0] ?? null }));
  return { ...whole, viewerIds: [...new Set([...whole.viewerIds, ...viewerIds])] };
}

/** Does something with a proven code and uses it up, both or neither. @throws GONE when another call was quicker */
const withSpentCode = <T>(
  { asSystem }: Context,
  { codeId }: Proven,
  act: (tx: Parameters<Parameters<Context['asSystem']>[0]>[0]) => Promise<T>,
): Promise<T> =>
  asSystem(async (tx) => {
    if (codeId !== undefined && !(await dataCodes.spend(tx, codeId)))
      throw refuse('GONE', { reason: 'CODE', message: 'This code has been used. Ask for a new one.' });
    return act(tx);
  });

const daySeconds = dayMs / 1000;

/** Everything that is kept of whoever uses this browser, as a file; once a day. @throws RATE_LIMITED */
export async function exportMine(
  context: Context,
  code: string | undefined,
): Promise<{ fileName: string; text: string }> {
  const proven = await proveMe(context, 'export', code);
  const { engines, now, asSystem } = context;
  const { person } = proven;
  const key = hashKey(engines.keys, 'my_export', person.email ?? person.viewerIds[0] ?? '');
  const rate = await asSystem((tx) => takeRate(tx, { key, limit: 1, windowSeconds: daySeconds, now }));
  if (rate.isOver)
    throw refuse('RATE_LIMITED', {
      retryAfter: Math.max(1, Math.ceil(rate.retryAfterSeconds)),
      message: 'You have downloaded your data today. You can do that again tomorrow.',
    });
  await withSpentCode(context, proven, async () => undefined);
  return { fileName: nameOwnFile(now), text: await writeOwnFile(engines, person, now) };
}

/** Has everything of whoever uses this browser erased once the grace is over. @throws CONFLICT when that was asked for before */
export async function eraseMine(context: Context, code: string | undefined): Promise<{ eraseAt: Date }> {
  const proven = await proveMe(context, 'erase', code);
  const { engines, now } = context;
  const eraseAt = await withSpentCode(context, proven, (tx) =>
    beginErasure(engines, tx, proven.person, { askedBy: 'viewer', now }),
  );
  if (eraseAt === undefined) throw refuse('CONFLICT', { message: 'Your data is being erased already.' });
  return { eraseAt };
}

/** Calls it off. @throws CONFLICT when it is too late, or was never asked for */
export async function keepMine(context: Context, code: string | undefined): Promise<void> {
  const proven = await proveMe(context, 'keep', code);
  const isKept = await withSpentCode(context, proven, (tx) => keepPerson(tx, proven.person, context.now));
  if (!isKept)
    throw refuse('CONFLICT', { message: "Your data isn't about to be erased, or it's too late to keep it." });
}
