import type { Engines } from '#engines/engines.ts';
import { plainLine } from '#features/audit/plain-text.ts';
import { requestReference } from '#features/held/request-code.ts';
import { readCents } from '#kit/cents.ts';
import { isUuid } from '#kit/ids.ts';
import { formatMoney } from '#kit/text.ts';
import { decideByStaff } from './deciding.ts';
import type { StaffVerdict } from './desk-contract.ts';
import { amountOf, leftOf } from './moves/notifying.ts';
import { longestWords } from './rules.ts';
import { listForStaff } from './staff-store.ts';
import { findRequest, listEvents, type RequestRow } from './store.ts';
import { shownState } from './to-api.ts';

const system = { kind: 'system' } as const;
const usage =
  'Use `requests`, `requests show ID`, `requests release ID --note TEXT`, `requests refund ID [--amount DOLLARS] --note TEXT` or, for what was reported after its release, `requests decline ID --note TEXT`.';

/** What `pf requests` was called with. */
export interface RequestOrder {
  verb: string | undefined;
  id: string | undefined;
  amount: string | undefined;
  note: string | undefined;
}

/** `pf requests`: what people ask to be made, and what is held for it; releases or returns it. @returns what to print */
export async function runRequestsCommand(engines: Engines, order: RequestOrder): Promise<string> {
  const { verb, id = '' } = order;
  if (verb === undefined) return list(engines);
  if (verb === 'show') return show(engines, id);
  if (verb !== 'release' && verb !== 'refund' && verb !== 'decline') throw new Error(usage);
  return decide(engines, verb, id, order);
}

const waitsWords = 'The payment waits until the payout account of its creator can take it.';
const formatTime = (at: Date) => at.toISOString().slice(0, 16).replace('T', ' ');

function describeLine(row: RequestRow): string {
  const { id, creatorName, actUntil, sending } = row;
  const state = shownState(row);
  const until = actUntil === null ? '' : `  until ${formatTime(actUntil)}`;
  const mark =
    state === 'problem' || state === 'reported'
      ? '  WAITS FOR YOU'
      : sending === 'waits'
        ? '  ITS RELEASE IS REFUSED'
        : '';
  return `  ${id}  ${amountOf(row)}  of ${plainLine(creatorName)}  ${state}${until}${mark}`;
}

async function list({ database, payments, linkClock }: Engines): Promise<string> {
  const rows = await database.work(system, (tx) => listForStaff(tx, payments.realm, new Date(linkClock()), 100));
  if (rows.length === 0) return 'There are no custom requests.';
  return ['Custom requests, those that wait for you first:', ...rows.map(describeLine), usage].join('\n');
}

/** @throws a sentence that says what to do */
async function find({ database, payments: { realm } }: Engines, id: string): Promise<RequestRow> {
  const row = isUuid(id) ? await findRequest(database, id) : undefined;
  if (row?.provider !== realm.provider || row.livemode !== realm.livemode)
    throw new Error(`There is no request ${id}. ${usage}`);
  return row;
}

async function show(engines: Engines, id: string): Promise<string> {
  const row = await find(engines, id);
  const history = await listEvents(engines.database, id);
  const { title, brief, kind, quantity, dueAt, orderId } = row;
  return [
    `Request ${requestReference(id)}, ${amountOf(row)}, ${shownState(row)}`,
    `  ${quantity} × ${kind}: ${plainLine(title)}`,
    ...brief.split('\n').map((line) => `  ${plainLine(line)}`),
    ...(dueAt === null ? [] : [`  due ${formatTime(dueAt)}`]),
    ...(orderId === null ? [] : [`  order ${orderId}`]),
    ...(row.sending === 'waits' ? [`  ${waitsWords}`] : []),
    ...history.map(
      ({ who, what, text, at }) => `  ${formatTime(at)}  ${who} ${what}${text === '' ? '' : `: ${plainLine(text)}`}`,
    ),
  ].join('\n');
}

/** @throws a sentence where it is no amount of money, or not less than what is held */
function readPart(amount: string | undefined, { agreedCents }: RequestRow): number | undefined {
  if (amount === undefined) return undefined;
  const cents = readCents(amount);
  if (!(cents > 0) || cents >= (agreedCents ?? 0))
    throw new Error('--amount takes dollars, less than what is held. Leave it out to return all of it.');
  return cents;
}

/** Both sides are told with the note. Of a part that goes back the rest goes to the creator. */
async function decide(
  engines: Engines,
  verdict: StaffVerdict,
  id: string,
  { amount, note = '' }: RequestOrder,
): Promise<string> {
  const text = note.trim();
  if (text === '' || text.length > longestWords)
    throw new Error(`Say why, in up to ${longestWords} characters: --note "…". It is sent to both sides.`);
  const known = await find(engines, id);
  const partCents = verdict === 'refund' ? readPart(amount, known) : undefined;
  await decideByStaff(engines, known, { verdict, partCents, note: text, actor: { type: 'system' } });
  return describeDecision(known, verdict, partCents);
}

function describeDecision(row: RequestRow, verb: StaffVerdict, partCents: number | undefined): string {
  const format = (cents: number) => formatMoney(cents, row.currency.toUpperCase());
  if (partCents !== undefined)
    return `${format(partCents)} of ${amountOf(row)} go back within minutes, and the rest is released.`;
  const left = format(leftOf(row));
  if (verb === 'decline') return `${left} stay with the creator. Both sides are told.`;
  return verb === 'refund' ? `${left} go back within minutes.` : `${left} are released.`;
}
