import { implement } from '@orpc/server';
import { formatCount, formatMoney } from '#kit/text.ts';
import { requireScope } from '#wire/answer.ts';
import type { AdminContext, Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { type Confirmation, listShownClaims, type OperatorClaim, operatorClaims } from '../claims/claims.ts';
import { listCheckers, listConfirmations } from '../claims/claims-store.ts';
import { confirm, isClaim, withdraw } from '../claims/confirming.ts';
import { type Measured, measure } from '../claims/measured-store.ts';
import { adminClaimsContract, type ListedClaim } from '../contract.ts';
import { readFacts } from '../facts-in-force.ts';
import { listComputed } from '../landing/proof.ts';

const answer = implement(adminClaimsContract).$context<Context>();
const owner = requireScope('owner');

const actorOf = ({ admin, requestId }: AdminContext) => ({
  actor: { type: 'admin', id: admin.userId } as const,
  requestId,
});

/** What an owner reads of the claims of public pages, and what they stand up for. */
export const adminClaimsApi = answer.router({
  list: answer.list.use(owner).handler(({ context }) => listClaims(context)),
  confirm: answer.confirm.use(owner).handler(async ({ context, input: { key, source, until } }) => {
    if (!isClaim(key)) throw refuse('NOT_FOUND');
    const { now, asSystem } = context;
    const expiresAt = until === null ? null : new Date(`${until}T00:00:00Z`);
    if (expiresAt !== null && expiresAt <= now)
      throw refuse('VALIDATION', { field: 'until', message: 'Choose a day that is still to come' });
    await asSystem((tx) => confirm(tx, actorOf(context), { key, source, expiresAt, now }));
    return {};
  }),
  withdraw: answer.withdraw.use(owner).handler(async ({ context, input: { key } }) => {
    if (!isClaim(key)) throw refuse('NOT_FOUND');
    const wasConfirmed = await context.asSystem((tx) => withdraw(tx, actorOf(context), key));
    if (!wasConfirmed) throw refuse('CONFLICT', { message: 'It is not confirmed any more.' });
    return {};
  }),
});

async function listClaims({ engines, asSystem, now }: AdminContext): Promise<{
  claims: ListedClaim[];
  isSandbox: boolean;
}> {
  const { isSandbox } = engines.installation;
  const { confirmations, checkers, measured } = await asSystem(async (tx) => ({
    confirmations: await listConfirmations(tx),
    checkers: await listCheckers(tx),
    measured: await measure(tx, engines.payments.realm.livemode, now),
  }));
  const shownTexts = new Set(listShownClaims(confirmations, { isSandbox, now }).map(({ text }) => text));
  const claims = operatorClaims.map((claim): ListedClaim => {
    const confirmation = confirmations.find(({ key }) => key === claim.key);
    const checkedBy = checkers.find(({ key }) => key === claim.key)?.email ?? null;
    return {
      ...wordsOf(claim),
      state: stateOf(confirmation, now),
      isShown: shownTexts.has(claim.text),
      confirmation: confirmation === undefined ? null : { ...confirmation, checkedBy },
      measured: describeMeasured(claim.key, measured),
    };
  });
  return { claims: [...claims, ...(await listFacts(engines))], isSandbox };
}

const wordsOf = ({ key, place, figure, text, by }: OperatorClaim) => ({
  key,
  kind: 'operator' as const,
  place,
  figure: figure ?? null,
  text,
  by: by ?? null,
});

function stateOf(confirmation: Confirmation | undefined, now: Date): ListedClaim['state'] {
  if (confirmation === undefined) return 'not_confirmed';
  return confirmation.expiresAt !== null && confirmation.expiresAt <= now ? 'ended' : 'confirmed';
}

/** What follows from the settings stands always. */
const listFacts = async (engines: Context['engines']): Promise<ListedClaim[]> =>
  listComputed(await readFacts(engines)).map(({ place, figure, text }) => ({
    key: null,
    kind: 'computed',
    place,
    figure,
    text,
    by: null,
    state: 'computed',
    isShown: true,
    confirmation: null,
    measured: null,
  }));

/** What is counted of a claim's figure; null where nothing can be counted. */
function describeMeasured(key: string, measured: Measured): string | null {
  const { creators, albums, earnedCents, paidOutCents, answerHours } = measured;
  if (key.endsWith('.creators') || key === 'demo.protected') return formatCount(creators, 'creator');
  if (key === 'figures.albums') return formatCount(albums, 'album');
  if (key.endsWith('.earned')) return `${formatMoney(earnedCents)} earned`;
  if (key === 'figures.paidOut') return `${formatMoney(paidOutCents)} paid out`;
  if (key !== 'pricing.support') return null;
  return answerHours === null ? 'No answer in 90 days' : `${answerHours.toFixed(1)} hours to the first answer`;
}
