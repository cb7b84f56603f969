import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { commandLine } from '#features/audit/operator.ts';
import { plainLine, plainText } from '#features/audit/plain-text.ts';
import { changeStatus, sendAnswer } from './answering.ts';
import { listSupportAnswers, listSupportReplies, lockSupportRequest } from './conversation-store.ts';
import { AnswerText } from './desk-contract.ts';
import { findSupportRequest, listWaitingRequests, type StoredSupportRequest } from './store.ts';

const system = { kind: 'system' } as const;

const usage = 'Use `support`, `support show NUMBER`, `support answer NUMBER --text "…"` or `support close NUMBER`.';
const verbs = ['show', 'answer', 'close'];
const mostListed = 200;

type Needs = Pick<Engines, 'database' | 'jobs' | 'installation' | 'keys' | 'clock'>;

/** `pf support …`: what people wrote, one of it whole, an answer that is mailed, or its end. */
export interface SupportOrder {
  verb: string | undefined;
  number?: string | undefined;
  /** The answer. */
  text?: string | undefined;
}

/** @returns what to print @throws a sentence that says what is wrong */
export async function runSupport(engines: Needs, { verb, number = '', text }: SupportOrder): Promise<string> {
  const { database } = engines;
  if (verb === undefined)
    return describeWaiting(await database.work(system, (tx) => listWaitingRequests(tx, mostListed)));
  if (!verbs.includes(verb)) throw new Error(usage);
  return database.work(system, async (tx) => {
    const found = await findHeld(tx, number);
    if (found === undefined) throw new Error(`There is no support request ${number}. ${usage}`);
    if (verb === 'show') return show(tx, found);
    if (verb === 'answer') return answer(tx, engines, found, text);
    if (found.status !== 'closed') await changeStatus(tx, found.number, 'closed', commandLine);
    return `Support request ${number} is closed now.`;
  });
}

async function findHeld(tx: Tx, number: string): Promise<StoredSupportRequest | undefined> {
  if (!/^\d{8}$/.test(number)) return undefined;
  await lockSupportRequest(tx, Number(number));
  return findSupportRequest(tx, Number(number));
}

/** Looking opens it; what was answered or closed stays so. */
async function show(tx: Tx, found: StoredSupportRequest): Promise<string> {
  const status = found.status === 'pending' ? 'open' : found.status;
  if (status !== found.status) await changeStatus(tx, found.number, status, commandLine);
  const said = [
    ...(await listSupportAnswers(tx, found.number)).map((one) => ({ ...one, who: 'You answered' })),
    ...(await listSupportReplies(tx, found.number)).map((one) => ({ ...one, who: 'They wrote again' })),
  ];
  return [
    describeWhole({ ...found, status }),
    ...said
      .toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime())
      .map(({ who, createdAt, text }) => `\n${who}, ${formatMinute(createdAt)}:\n\n${plainText(text)}`),
  ].join('\n');
}

async function answer(tx: Tx, engines: Needs, found: StoredSupportRequest, typed: string | undefined): Promise<string> {
  const text = AnswerText.safeParse(typed?.trim() ?? '');
  if (!text.success) throw new Error(`${text.error.issues[0]?.message ?? 'Write an answer'}: --text "…".`);
  const now = new Date(engines.clock());
  await sendAnswer(tx, engines, found, { text: text.data, operator: commandLine, now });
  return `Support request ${found.number} is answered now: the answer is mailed to ${plainLine(found.email)}.`;
}

const formatMinute = (at: Date) => at.toISOString().slice(0, 16).replace('T', ' ');

const describeLine = ({ number, status, subject, createdAt }: StoredSupportRequest) =>
  `  ${number}  ${formatMinute(createdAt)}  ${status.padEnd(8)}  ${plainLine(subject)}`;

const describeWaiting = (requests: readonly StoredSupportRequest[]) =>
  requests.length === 0 ? 'No support requests are waiting.' : requests.map(describeLine).join('\n');

const describeWhole = (request: StoredSupportRequest) =>
  [
    describeLine(request),
    `  from ${plainLine(request.name)} <${plainLine(request.email)}>${request.userId === null ? '' : `, account ${request.userId}`}`,
    '',
    plainText(request.message),
  ].join('\n');
