import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { findAccountByEmail } from '#features/accounts/store.ts';
import { commandLine } from '#features/audit/operator.ts';
import { plainLine, plainText } from '#features/audit/plain-text.ts';
import { findAppeal } from './appeals-store.ts';
import { holdByHand, refuseAppeal, releaseByHand } from './deciding-holds.ts';
import { type HeldRow, listHeld, listHolds } from './holds-store.ts';
import { findPayee } from './payouts-store.ts';
import { holdCodes, isHoldCode, longestAppeal } from './rules.ts';

const system = { kind: 'system' } as const;
type Needed = Pick<Engines, 'database' | 'jobs' | 'installation' | 'linkClock' | 'payments'>;

/** `pf payouts …`: who is held and why, and the decision. */
export interface PayoutOrder {
  verb: string | undefined;
  email: string | undefined;
  reason: string | undefined;
  note: string | undefined;
}

const usage = `Use \`payouts\`, \`payouts show EMAIL\`, \`payouts hold EMAIL --reason ${holdCodes.join('|')} --note TEXT\`, \`payouts release EMAIL [--note TEXT]\` or \`payouts keep EMAIL --note TEXT\`.`;
const mostListed = 200;
const longestNote = 500;

/** @returns what to print @throws a sentence that says what is wrong */
export async function runPayoutsCommand(engines: Needed, order: PayoutOrder): Promise<string> {
  const { database, payments } = engines;
  const { verb, email = '' } = order;
  if (verb === undefined) {
    const held = await database.work(system, (tx) => listHeld(tx, payments.realm, mostListed));
    return held.length === 0 ? 'No payouts are held.' : held.map(describeHeldLine).join('\n');
  }
  return database.work(system, async (tx) => {
    const account = await findAccountByEmail(tx, email.toLowerCase());
    const payee = account && (await findPayee(tx, payments.realm, account.id));
    if (payee === undefined) throw new Error(`Nobody with a payout account has the address "${email}". ${usage}`);
    const about = { ...order, userId: payee.userId, note: (order.note ?? '').trim() };
    if (verb === 'show') return showHeld(engines, tx, payee.userId);
    if (verb === 'hold') return holdPayouts(engines, tx, about);
    if (verb === 'release') return release(engines, tx, about);
    if (verb === 'keep') return keep(engines, tx, about);
    throw new Error(usage);
  });
}

interface About {
  userId: string;
  email: string | undefined;
  reason: string | undefined;
  note: string;
}

const formatDay = (at: Date | null) =>
  at === null ? 'no day expected' : `expected to end ${at.toISOString().slice(0, 10)}`;

const describeHeldLine = ({ email, codes, since, expectedAt, appealId }: HeldRow): string =>
  `  ${email}  since ${since.toISOString().slice(0, 10)}, ${formatDay(expectedAt)}  ${codes.join(', ')}${appealId === null ? '' : '  APPEALED'}`;

async function showHeld({ payments }: Needed, tx: Tx, userId: string): Promise<string> {
  const holds = await listHolds(tx, { userId, realm: payments.realm });
  const appeal = await findAppeal(tx, payments.realm, userId);
  const lines = holds.map(
    ({ code, byKind, since, expectedAt, note }) =>
      `${code} by ${byKind} since ${since.toISOString().slice(0, 10)}, ${formatDay(expectedAt)}${note === '' ? '' : `: ${plainLine(note)}`}`,
  );
  const said =
    appeal === undefined
      ? []
      : ['', appeal.answer === null ? 'Appeal, not answered:' : 'Appeal, answered:', plainText(appeal.text)];
  return [...(lines.length === 0 ? ['Nothing is held.'] : lines), ...said].join('\n');
}

async function holdPayouts(engines: Needed, tx: Tx, { userId, email, reason = '', note }: About): Promise<string> {
  if (!isHoldCode(reason)) throw new Error(`Say which reason. ${usage}`);
  if (note === '' || note.length > longestNote)
    throw new Error(`Say why, in up to ${longestNote} characters: --note "…". It is sent to the creator.`);
  const held = await holdByHand(engines, tx, { userId, reason, note }, commandLine);
  if (held.kind === 'not_done') throw new Error(`Payouts of ${email}: ${held.because}`);
  return `Payouts of ${email} are held, and the creator is told by email.`;
}

async function release(engines: Needed, tx: Tx, { userId, email, note }: About): Promise<string> {
  if (note.length > longestAppeal) throw new Error(`--note takes up to ${longestAppeal} characters.`);
  const released = await releaseByHand(engines, tx, { userId, note }, commandLine);
  if (released.kind === 'not_done') throw new Error(`Payouts of ${email}: ${released.because}`);
  return `Payouts of ${email} leave with the next round, and the creator is told by email.`;
}

/** Answers an appeal with no. */
async function keep(engines: Needed, tx: Tx, { userId, email, note }: About): Promise<string> {
  if (note === '' || note.length > longestAppeal)
    throw new Error(`Answer in up to ${longestAppeal} characters: --note "…". It is sent to the creator.`);
  const kept = await refuseAppeal(engines, tx, { userId, note }, commandLine);
  if (kept.kind === 'not_done') throw new Error(`Payouts of ${email}: ${kept.because}`);
  return `The appeal of ${email} is answered by email; the payouts stay held.`;
}
