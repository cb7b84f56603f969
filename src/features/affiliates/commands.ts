import type { Engines } from '#engines/engines.ts';
import { isUuid } from '#kit/ids.ts';
import { formatCount, formatMoney } from '#kit/text.ts';
import { changeShare, decidePartner, makeReferralVoid, type Outcome, restoreReferral } from './deciding.ts';
import { findListed, findSigns, type ListedPartner, listPartners, listReferrals } from './desk-store.ts';
import { makeRun, planRun, settleLine, totalOf } from './paying.ts';
import { listRunLines } from './payouts-store.ts';
import { listHints, type PartnerAct, partnerStates, voidReasons } from './rules.ts';
import { findIdOfCode } from './store.ts';

const shown = 200;
const system = { kind: 'system' } as const;
/** A command is nobody's account. */
const acting = { adminId: null };

/** `pf affiliates …`. */
export interface AffiliateOrder {
  verb: string | undefined;
  id: string | undefined;
  reason: string | undefined;
  percent: string | undefined;
  total: string | undefined;
}

const verbs: Readonly<Record<string, (engines: Engines, order: AffiliateOrder) => Promise<string>>> = {
  applications: describeApplications,
  show: async (engines, order) => describePartner(engines, await idOf(engines, order)),
  approve: (engines, order) => decide(engines, order, 'approve', 'Approved; they are told by email.'),
  reject: (engines, order) => decide(engines, order, 'reject', 'Rejected; they are told by email.'),
  pause: (engines, order) => decide(engines, order, 'pause', 'Paused; they are told by email.'),
  resume: (engines, order) => decide(engines, order, 'resume', 'Their link counts again.'),
  close: (engines, order) => decide(engines, order, 'close', 'Closed for good; they are told by email.'),
  share: runShare,
  void: runVoid,
  restore: runRestore,
  pay: runPay,
  runs: describeRuns,
  paid: (engines, order) => runSettle(engines, order, true),
  unpaid: (engines, order) => runSettle(engines, order, false),
};

/** Lists partners, decides about them and pays them. @returns what to print @throws a sentence that says what is wrong */
export async function runAffiliates(engines: Engines, order: AffiliateOrder): Promise<string> {
  const { verb } = order;
  if (verb === undefined || partnerStates.some((state) => state === verb)) return describeList(engines, verb);
  const run = verbs[verb];
  if (run === undefined) throw new Error(`There is no "${verb}". Run \`pf help\` to see what there is.`);
  return run(engines, order);
}

/** Lists who wants to recommend the place, and what they wrote, newest first. @returns what to print */
export async function describeApplications(engines: Pick<Engines, 'database' | 'payments'>): Promise<string> {
  const rows = await engines.database.work(system, (tx) =>
    listPartners(tx, engines.payments.realm, { state: undefined, limit: shown }),
  );
  if (rows.length === 0) return 'Nobody has applied.';
  return rows
    .map(({ id, name, email, audience, state, createdAt }) =>
      [
        `  ${createdAt.toISOString().slice(0, 10)}  ${inOneLine(name)} <${email}>, ${state}`,
        `    ${inOneLine(audience)}`,
        `    ${id}`,
      ].join('\n'),
    )
    .join('\n');
}

async function describeList(engines: Engines, verb: string | undefined): Promise<string> {
  const state = partnerStates.find((one) => one === verb);
  const rows = await engines.database.work(system, (tx) =>
    listPartners(tx, engines.payments.realm, { state, limit: shown }),
  );
  return rows.length === 0 ? 'There is nobody.' : rows.map(describeRow).join('\n');
}

function describeRow(row: ListedPartner): string {
  const { id, name, email, state, code, shareBps, signUps, clicks } = row;
  const terms = code === null ? '' : `, ${code}, ${(shareBps ?? 0) / 100} %`;
  const money = `${formatMoney(row.earnedCents)} earned, ${formatMoney(row.pendingCents)} pending, ${formatMoney(row.payableCents)} payable, ${formatMoney(row.paidCents)} paid`;
  return `  ${inOneLine(name)} <${email}>, ${state}${terms}\n    about ${formatCount(clicks, 'click')}, ${formatCount(signUps, 'sign-up')}, ${money}\n    ${id}`;
}

async function describePartner({ database, payments }: Engines, id: string): Promise<string> {
  return database.work(system, async (tx) => {
    const row = await findListed(tx, payments.realm, id);
    if (row === undefined) throw new Error('There is no such partner.');
    const hints = listHints(await findSigns(tx, id)).map((hint) => `  look at: ${hint}`);
    const referrals = (await listReferrals(tx, id)).map(
      (one) =>
        `  ${one.signedUpAt.toISOString().slice(0, 10)}  ${one.id}, by ${one.source}, ${formatMoney(one.earnedCents)}${one.voidReason === null ? '' : `, void: ${one.voidReason}`}`,
    );
    return [describeRow(row), `    ${inOneLine(row.audience)}`, ...hints, ...referrals].join('\n');
  });
}

/** @throws a sentence when nobody has it */
async function idOf({ database }: Engines, { id = '' }: AffiliateOrder): Promise<string> {
  const found = isUuid(id) ? id : await database.work(system, (tx) => findIdOfCode(tx, id.toUpperCase()));
  if (found === undefined) throw new Error(`No partner has the id or code "${id}".`);
  return found;
}

function requireDone(outcome: Outcome, said: string): string {
  if (outcome === 'not_found') throw new Error('There is no such partner.');
  if (outcome === 'not_now') throw new Error('This was decided already.');
  return said;
}

/** @throws a sentence without a reason that somebody reads */
function reasonOf({ reason = '' }: AffiliateOrder): string {
  if (reason.trim() === '' || reason.length > 500)
    throw new Error('Say why with --reason TEXT, of up to 500 characters.');
  return reason.trim();
}

async function decide(engines: Engines, order: AffiliateOrder, act: PartnerAct, said: string): Promise<string> {
  const reason = act === 'approve' || act === 'resume' ? '' : reasonOf(order);
  return requireDone(
    await decidePartner(engines, acting, { affiliateId: await idOf(engines, order), act, reason }),
    said,
  );
}

async function runShare(engines: Engines, order: AffiliateOrder): Promise<string> {
  const { percent = '' } = order;
  if (!/^\d{1,2}$/.test(percent) || Number(percent) > 50)
    throw new Error('--percent takes a whole number from 0 to 50.');
  const change = { affiliateId: await idOf(engines, order), shareBps: Number(percent) * 100 };
  return requireDone(await changeShare(engines, acting, change), `Their share is ${percent} % from the next bill on.`);
}

async function runVoid(engines: Engines, { id = '', reason: said }: AffiliateOrder): Promise<string> {
  const reason = voidReasons.find((one) => one === said);
  if (reason === undefined) throw new Error(`--reason takes ${voidReasons.join(', ')}.`);
  if (!isUuid(id)) throw new Error('Give the id of a referral: `pf affiliates show CODE` lists them.');
  const done = await makeReferralVoid(engines, acting, { referralId: id, reason, note: '' });
  return requireDone(done, 'It is void, and what waited of its shares is taken back.');
}

async function runRestore(engines: Engines, { id = '' }: AffiliateOrder): Promise<string> {
  if (!isUuid(id)) throw new Error('Give the id of a referral: `pf affiliates show CODE` lists them.');
  if ((await restoreReferral(engines, acting, { referralId: id })) !== 'done')
    throw new Error('That referral counts already, or there is none.');
  return 'It counts, and nothing makes it void by itself any more.';
}

/** Without --total it is a dry run; the total that it says makes the run. */
async function runPay(engines: Engines, { total }: AffiliateOrder): Promise<string> {
  const lines = await planRun(engines);
  if (lines.length === 0) return 'Nobody is to be paid.';
  const totalCents = totalOf(lines);
  if (total === undefined) {
    const rows = lines.map(
      ({ name, email, amountCents }) => `  ${formatMoney(amountCents)}  ${inOneLine(name)} <${email}>`,
    );
    return [...rows, `A dry run: nothing was changed. To make it, run this again with --total ${totalCents}.`].join(
      '\n',
    );
  }
  const run = await makeRun(engines, acting, { partners: lines.length, totalCents: Number(total) });
  if (run === undefined) throw new Error('That is not what would be paid now. Run it without --total again.');
  return `${formatCount(run.partners, 'line')} to pay by hand. \`pf affiliates runs\` lists them; confirm each with \`pf affiliates paid ID --total CENTS\`.`;
}

async function describeRuns({ database, payments }: Engines): Promise<string> {
  const lines = await database.work(system, (tx) => listRunLines(tx, payments.realm));
  if (lines.length === 0) return 'There was no run yet.';
  return lines
    .map(
      ({ id, runAt, amountCents, madeCents, name, email, state }) =>
        `  ${runAt.toISOString().slice(0, 10)}  ${formatMoney(amountCents)}${amountCents === madeCents ? '' : ` (was ${formatMoney(madeCents)})`}  ${inOneLine(name)} <${email ?? 'no account'}>, ${state}\n    ${id}`,
    )
    .join('\n');
}

async function runSettle(engines: Engines, order: AffiliateOrder, isPaid: boolean): Promise<string> {
  const { id = '', reason = '', total = '' } = order;
  if (!isUuid(id)) throw new Error('Give the id of a line: `pf affiliates runs` lists them.');
  if (isPaid && !/^[1-9]\d{0,9}$/.test(total)) throw new Error('Say what you have paid with --total CENTS.');
  const paidCents = isPaid ? Number(total) : null;
  if (!(await settleLine(engines, acting, { payoutId: id, paidCents, note: reason.slice(0, 500) })))
    throw new Error('That line is settled already, is of another amount now, or there is none.');
  return isPaid ? 'Noted as paid; they are told by email.' : 'Noted as not paid; its shares wait for the next run.';
}

/** Returns what a stranger wrote, without what would move a terminal's cursor. */
const inOneLine = (text: string) => text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ');
