import { ORPCError } from '@orpc/client';
import type { Engines } from '#engines/engines.ts';
import { plainLine } from '#features/audit/plain-text.ts';
import { insertAudit } from '#features/audit/store.ts';
import { requestReference } from '#features/held/request-code.ts';
import { withRefusedRelease } from '#features/returns/held-payments.ts';
import { readCents } from '#kit/cents.ts';
import { isUuid } from '#kit/ids.ts';
import { formatMoney } from '#kit/text.ts';
import { moveHeld, refusalWords, settleMoved } from './moves/moving.ts';
import { amountOf, leftOf } from './moves/notifying.ts';
import { longestWords, type Words } from './rules.ts';
import { findRequest, holdRequest, listEvents, listForStaff, type RequestRow } from './store.ts';
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

type Verb = 'release' | 'refund' | 'decline';

/** Both sides are told with the note. Of a part that goes back the rest goes to the creator. */
async function decide(engines: Engines, verb: Verb, id: string, { amount, note = '' }: RequestOrder): Promise<string> {
  const text = note.trim();
  if (text === '' || text.length > longestWords)
    throw new Error(`Say why, in up to ${longestWords} characters: --note "…". It is sent to both sides.`);
  const known = await find(engines, id);
  const partCents = verb === 'refund' ? readPart(amount, known) : undefined;
  const moveIt = () => moveByStaff(engines, verb, id, { text, partCents });
  const moved = await (known.sending === 'waits' ? withRefusedRelease(engines, id, moveIt) : moveIt());
  await settleMoved(engines, moved);
  return describeDecision(known, verb, partCents);
}

const audited = {
  release: 'request.released',
  refund: 'request.refunded',
  decline: 'request.report_declined',
} as const;

/** Why staff can't decide so. */
const staffWords: typeof refusalWords = { ...refusalWords, state: "this isn't possible now." };

/** What the creator is being sent can't be given back before it has arrived. */
const explainPending = (row: RequestRow) => (error: unknown) => {
  if (row.sending !== 'on_way' || !(error instanceof ORPCError) || error.code !== 'CONFLICT') throw error;
  throw new Error(`Request ${row.id} is ${shownState(row)}: its release is on the way. Try again once it has arrived.`);
};

const moveByStaff = (engines: Engines, verb: Verb, id: string, words: Words) =>
  engines.database.work(system, async (tx) => {
    const row = await holdRequest(tx, id);
    if (row === undefined) throw new Error(`There is no request ${id}. ${usage}`);
    const { text: note = '', partCents } = words;
    const isPart = partCents !== undefined;
    const step = { by: 'staff', do: isPart ? 'release' : verb } as const;
    const done = await moveHeld(engines, tx, row, step, words).catch(explainPending(row));
    if ('ok' in done) throw new Error(`Request ${id} is ${shownState(row)}: ${staffWords[done.because]}`);
    const details = { note, ...(isPart && { partCents }) };
    const about = { actor: { type: 'system' }, target: { type: 'request', id }, details } as const;
    await insertAudit(tx, { ...about, action: isPart ? 'request.refunded_part' : audited[verb] });
    return done;
  });

function describeDecision(row: RequestRow, verb: Verb, partCents: number | undefined): string {
  const format = (cents: number) => formatMoney(cents, row.currency.toUpperCase());
  if (partCents !== undefined)
    return `${format(partCents)} of ${amountOf(row)} go back within minutes, and the rest is released.`;
  const left = format(leftOf(row));
  if (verb === 'decline') return `${left} stay with the creator. Both sides are told.`;
  return verb === 'refund' ? `${left} go back within minutes.` : `${left} are released.`;
}
