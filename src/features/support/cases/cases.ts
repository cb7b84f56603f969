import type { Tx } from '#engines/database/work.ts';
import { isCaseSecret } from '#features/audit/case-reference.ts';
import { networkOf } from '#features/audit/rules.ts';
import { hashKey, takeRate } from '#features/audit/store.ts';
import { queueEmail } from '#features/notices/store.ts';
import { supportReplyEmail } from '#features/notices/support-emails.ts';
import type { Context } from '#wire/context.ts';
import { refuse, refuseForNow } from '#wire/refusals.ts';
import type { SupportState } from '../cases-contract.ts';
import {
  insertSupportReply,
  listSupportAnswers,
  listSupportReplies,
  lockSupportRequest,
} from '../conversation-store.ts';
import { findSupportRequest, type StoredSupportRequest, setSupportStatus } from '../store.ts';

const hourSeconds = 3600;
/** Of one network in an hour. */
const looksPerHour = 120;
/** About one case in a day. */
const repliesPerDay = 10;

interface Reference {
  number: string;
  secret: string;
}

/** Shows how a message stands. @throws GONE for every link that leads to none */
export async function showState(context: Context, reference: Reference): Promise<SupportState> {
  await takeLook(context, reference);
  return context.asSystem(async (tx) => describeState(tx, await requireRequest(tx, reference.number)));
}

/** Keeps what is written once more; the operator is told. @throws GONE, RATE_LIMITED */
export async function replyToCase(
  context: Context,
  { text, ...reference }: Reference & { text: string },
): Promise<SupportState> {
  await takeLook(context, reference);
  const { engines, asSystem, now } = context;
  const { number } = reference;
  const key = hashKey(engines.keys, 'support reply', number);
  const turn = await asSystem((tx) =>
    takeRate(tx, { key, limit: repliesPerDay, windowSeconds: 24 * hourSeconds, now }),
  );
  if (turn.isOver) throw refuseForNow(turn.retryAfterSeconds);
  return asSystem(async (tx) => {
    await lockSupportRequest(tx, Number(number));
    const found = await requireRequest(tx, number);
    const last = (await listSupportReplies(tx, found.number)).at(-1);
    // A second click, or a line that broke behind the first.
    if (last?.text === text) return describeState(tx, found);
    await insertSupportReply(tx, { number: found.number, text, now });
    await setSupportStatus(tx, found.number, 'open');
    const { operatorEmail: to, publicUrl } = engines.installation;
    const words = supportReplyEmail({ number: found.number, text, desk: `${publicUrl}/admin/support/${number}` });
    if (to !== undefined) await queueEmail(tx, engines.jobs, { to, now, ...words });
    return describeState(tx, { ...found, status: 'open' });
  });
}

/** @throws GONE for a secret that is not this number's, RATE_LIMITED for a network that asks very often */
async function takeLook({ engines, caller, asSystem, now }: Context, { number, secret }: Reference): Promise<void> {
  const key = hashKey(engines.keys, 'case', networkOf(caller.address));
  const rate = { key, limit: looksPerHour, windowSeconds: hourSeconds, now };
  const { isOver, retryAfterSeconds } = await asSystem((tx) => takeRate(tx, rate));
  if (isOver) throw refuseForNow(retryAfterSeconds);
  if (!isCaseSecret(engines.keys, 'support', number, secret)) throw refuse('GONE');
}

async function requireRequest(tx: Tx, number: string): Promise<StoredSupportRequest> {
  const found = await findSupportRequest(tx, Number(number));
  if (found === undefined) throw refuse('GONE');
  return found;
}

async function describeState(
  tx: Tx,
  { number, status, message, createdAt }: StoredSupportRequest,
): Promise<SupportState> {
  const answers = await listSupportAnswers(tx, number);
  const replies = await listSupportReplies(tx, number);
  const messages = [
    { from: 'them' as const, text: message, at: createdAt },
    ...answers.map(({ text, createdAt: at }) => ({ from: 'us' as const, text, at })),
    ...replies.map(({ text, createdAt: at }) => ({ from: 'them' as const, text, at })),
  ];
  return {
    number: String(number),
    status,
    createdAt,
    messages: answers.length === 0 ? [] : messages.toSorted((a, b) => a.at.getTime() - b.at.getTime()),
  };
}
