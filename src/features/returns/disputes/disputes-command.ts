import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Engines } from '#engines/engines.ts';
import { commandLine } from '#features/audit/operator.ts';
import { plainLine, plainText } from '#features/audit/plain-text.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { formatMoney } from '#kit/text.ts';
import type { NextStep } from '../disputes-contract.ts';
import { acceptDispute, byHandWords, isByHand, nextStepOf, submitDispute } from './deciding-disputes.ts';
import { writeEvidencePdf } from './evidence-pdf.ts';
import { type EvidenceRow, findEvidence, listDisputes } from './evidence-store.ts';

const system = { kind: 'system' } as const;
type Needed = Pick<Engines, 'database' | 'linkClock' | 'payments'>;

/** `pf disputes …`: what is disputed, the evidence for it, and whether it is submitted. */
export interface DisputeOrder {
  verb: string | undefined;
  id: string | undefined;
  folder: string | undefined;
  note: string | undefined;
}

const usage =
  'Use `disputes`, `disputes show ID`, `disputes export ID FOLDER`, `disputes object ID --note TEXT` or `disputes submit ID`.';
const mostListed = 200;
const longestNote = 500;

/** @returns what to print @throws a sentence that says what is wrong */
export async function runDisputesCommand(engines: Needed, order: DisputeOrder): Promise<string> {
  const { database, payments } = engines;
  const { verb, id = '' } = order;
  if (verb === undefined) {
    const rows = await database.work(system, (tx) => listDisputes(tx, payments.realm, mostListed));
    return rows.length === 0 ? 'No payment has been disputed.' : rows.map(describeLine).join('\n');
  }
  const row = await database.work(system, (tx) => findEvidence(tx, payments.realm, id));
  if (row === undefined) throw new Error(`There is no dispute ${id}. ${usage}`);
  if (verb === 'show') return show(row);
  if (verb === 'export') return exportTo(engines, row, order.folder);
  if (verb === 'object') return object(engines, id, order.note);
  if (verb === 'submit') return submit(engines, id);
  throw new Error(usage);
}

const formatTime = (at: Date | null) => (at === null ? 'never' : at.toISOString().slice(0, 16).replace('T', ' '));
const amountOf = ({ amountCents, currency }: EvidenceRow) => formatMoney(amountCents, currency.toUpperCase());

/** Returns what happens next with the evidence. */
function describeNext(row: EvidenceRow): string {
  const words: Record<NextStep, string> = {
    ended: row.standing === 'over' ? 'ended' : row.standing,
    answered: 'answered, the bank decides',
    refused: `REFUSED: ${plainLine(row.refused ?? '')}`,
    not_contested: 'not contested',
    by_hand: 'no evidence is built: ANSWER IT AT THE PROVIDER',
    building: 'evidence is built within a minute',
    submitting: 'submitted within a minute',
    never_opened: 'never opened: WAITS FOR YOU',
    scheduled: `submitted a day before ${formatTime(row.dueBy)}`,
  };
  return words[nextStepOf(row)];
}

/** The fee of a dispute, where its creator bears it. */
function describeFee({
  borneCents,
  currency,
  isFeeTaken,
  isFeeAwaited,
  isFeeReturned,
}: EvidenceRow): string | undefined {
  if (borneCents === null || borneCents === 0) return undefined;
  const state = isFeeReturned
    ? 'returned'
    : isFeeAwaited
      ? 'OWED to the creator'
      : isFeeTaken
        ? 'taken from their balance'
        : 'waits for their balance';
  return `fee ${formatMoney(borneCents, currency.toUpperCase())} is the creator's: ${state}`;
}

function describeLine(row: EvidenceRow): string {
  const fee = describeFee(row);
  const owed = row.isOwed ? `, OWED ${row.standing === 'won' ? 'to' : 'by'} its creator` : '';
  const about = `${amountOf(row)}  ${row.reason}, ${row.status}${owed}${fee === undefined ? '' : `, ${fee}`}`;
  return `  ${row.disputeId}  due ${formatTime(row.dueBy)}  ${about}  ${describeNext(row)}`;
}

const describeOwedPart = ({ standing }: EvidenceRow): string =>
  standing === 'won'
    ? "The creator's part is OWED to them: there was too little available in the platform's balance, and it is tried again"
    : "The creator's part is OWED: there was too little in their account, and it is tried again";

function show(row: EvidenceRow): string {
  const { disputeId, orderId, isPack, reason, status, openedAt, dueBy, ofViewer, fields, objection } = row;
  const fee = describeFee(row);
  const head = [
    `Dispute ${disputeId}: ${amountOf(row)}, ${reason}, ${status}`,
    `Order ${orderId ?? `none: ${isPack ? 'credits' : 'a plan'}`}; disputed ${formatTime(openedAt)}, answered until ${formatTime(dueBy)}`,
    ...(orderId === null ? [] : [`Disputes of the same viewer: ${ofViewer}`]),
    ...(row.isOwed ? [describeOwedPart(row)] : []),
    ...(fee === undefined ? [] : [`The ${fee}`]),
    `Next: ${describeNext(row)}`,
    ...(objection ? [`Not contested: ${plainLine(objection)}`] : []),
  ];
  const text = Object.entries(fields ?? {}).flatMap(([field, words]) => ['', `${field}:`, plainText(String(words))]);
  return [...head, ...text].join('\n');
}

/** Writes the evidence as JSON for the bank and as pages for people. */
async function exportTo(engines: Needed, row: EvidenceRow, folder: string | undefined): Promise<string> {
  if (folder === undefined) throw new Error('Give the folder for the evidence.');
  const { disputeId, facts, fields } = row;
  if (isByHand(row)) throw new Error(byHandWords(row));
  if (facts === null) throw new Error(`No evidence has been built for ${disputeId} yet.`);
  await mkdir(folder, { recursive: true });
  const fileOf = (ending: string) => path.join(folder, `${disputeId.replaceAll(/[^\w-]/g, '')}.${ending}`);
  await writeFile(
    fileOf('json'),
    `${JSON.stringify({ dispute: disputeId, order: row.orderId, evidence: fields, facts }, null, 2)}\n`,
  );
  await writeFile(fileOf('pdf'), await writeEvidencePdf(row, facts, moneyNow(engines)));
  return `${fileOf('json')}\n${fileOf('pdf')}`;
}

async function object(engines: Needed, disputeId: string, note = ''): Promise<string> {
  const text = note.trim();
  if (text === '' || text.length > longestNote)
    throw new Error(`Say why, in up to ${longestNote} characters: --note "…". It stays here.`);
  const done = await acceptDispute(engines, { disputeId, note: text }, commandLine);
  if (done?.kind === 'not_done') throw new Error(done.because);
  return `Nothing is submitted for ${disputeId}: the bank decides for the buyer.`;
}

/** Writes the request down; the running app submits it. */
async function submit(engines: Needed, disputeId: string): Promise<string> {
  const done = await submitDispute(engines, disputeId, commandLine);
  if (done?.kind === 'not_done') throw new Error(done.because);
  return `The evidence for ${disputeId} is submitted within a minute.`;
}
