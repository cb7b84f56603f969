import type { FastifyInstance } from 'fastify';
import type { Engines } from '#engines/engines.ts';
import { slowNetwork } from '#features/accounts/limits.ts';
import { findShownPage } from '#features/accounts/public-page.ts';
import type { PublicPageRow } from '#features/accounts/public-page-store.ts';
import { avatarUrl } from '#features/accounts/stored-avatar.ts';
import { findTipSettings } from '#features/money/tip-settings-store.ts';
import { longerTermsOf } from '#features/orders/fan-rules.ts';
import { listActiveTiers } from '#features/orders/fan-tiers-store.ts';
import { leastCents, mostTipCents } from '#features/orders/rules.ts';
import { findPayoutAccount, payoutStatusOf } from '#features/payouts/finding-accounts.ts';
import { findSettings } from '#features/requests/asking-store.ts';
import { settingsOf } from '#features/settings/settings.ts';
import type { Mounting } from '#wire/raw.ts';
import { type PageParts, type ShownCreator, writeCreatorPage, writeNotFound } from './creators/creator-page-html.ts';
import type { PageSale } from './creators/page-sale.ts';

/** Nothing but our styles and their picture; where something is sold also our script, and the call that asks where to pay. */
const policyOf = (sells: boolean): string =>
  `default-src 'none';${sells ? " script-src 'self'; connect-src 'self';" : ''} style-src 'self'; font-src 'self' data:; img-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'`;

/** Looks of one network in an hour before each waits longer: who tries handles gets slow, who shares a line does not notice. */
const freeLooks = 300;

/**
 * GET /@handle: a page that its person has opened. Every other handle – nobody's, closed, not set up, suspended, without a plan –
 * answers alike, by the same statement.
 */
export function mountCreatorPage(app: FastifyInstance, { engines, contextOf }: Mounting, parts: PageParts): void {
  app.get('/@:handle', { config: { who: ['anybody'] } }, async (request, reply) => {
    const { handle } = request.params as { handle: string };
    const context = contextOf(request, reply);
    await slowNetwork(context, 'creator_page', freeLooks);
    const row = await findShownPage(engines, handle, context.now);
    const creator = row && (await showCreator(engines, row));
    const html = creator === undefined ? writeNotFound(parts.pageHead) : writeCreatorPage(creator, parts);
    return reply
      .code(creator === undefined ? 404 : 200)
      .header('content-security-policy', policyOf(creator?.sale !== undefined && parts.script !== undefined))
      .type('text/html; charset=utf-8')
      .send(html);
  });
}

async function showCreator(engines: Engines, row: PublicPageRow): Promise<ShownCreator> {
  const { displayName, handle, bio, avatarName } = row;
  const sale = await findSale(engines, row);
  return {
    name: displayName,
    handle,
    bio: bio ?? '',
    picture: avatarName === null ? undefined : avatarUrl(avatarName),
    ...(sale && { sale }),
  };
}

/** @returns nothing where they cannot be paid */
async function findSale(
  engines: Engines,
  { userId, handle, displayName }: PublicPageRow,
): Promise<PageSale | undefined> {
  const [account, tiers, requests, tips, known] = await Promise.all([
    findPayoutAccount(engines, userId),
    listActiveTiers(engines.database, userId),
    findSettings(engines.database, userId),
    findTipSettings(engines.database, userId),
    settingsOf(engines),
  ]);
  if (payoutStatusOf(engines, account) !== 'complete') return undefined;
  const bounds = {
    presetsCents: tips.presetsCents,
    leastCents,
    mostCents: mostTipCents,
    utmostCents: known['money.mostKnownTipCents'],
  };
  const money = {
    currency: 'usd',
    statementDescriptor: known['money.statementDescriptor'],
    isSandbox: engines.sandbox !== undefined,
  };
  return {
    tip: { handle, name: displayName, ...bounds, ...money },
    tiers: tiers.map((tier) => {
      const { id, name, priceCents, benefits } = tier;
      return { id, name, priceCents, benefits, longer: longerTermsOf(tier) };
    }),
    ...(requests?.isOn === true && { requestCents: requests.leastCents }),
  };
}
