import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Sandbox, SandboxCheckout } from '#engines/payments/sandbox-parts.ts';
import { formatMoney } from '#kit/text.ts';
import {
  donePolicy,
  sandboxPolicy,
  writeAccountPage,
  writeBankPage,
  writeCardPage,
  writeDonePage,
  writeOnboarding,
  writeOverPage,
  writePayPage,
  writePlanPage,
} from './page-html.ts';

const emailPattern = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;
const config = { who: ['anybody'] as const };

const show = (reply: FastifyReply, html: string, policy = sandboxPolicy): FastifyReply =>
  reply
    .header('content-security-policy', policy)
    .header('x-frame-options', 'SAMEORIGIN')
    .type('text/html; charset=utf-8')
    .send(html);

const fieldOf = (body: unknown, name: string): string => String((body as Record<string, unknown> | null)?.[name] ?? '');

/** The pages on which people pay and are asked who they are, where no real provider does. They work without a script. */
export async function mountSandboxPages(app: FastifyInstance, sandbox: Sandbox): Promise<void> {
  await app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 4096 },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    mountPaying(scope, sandbox);
    mountAccounts(scope, sandbox);
    mountCards(scope, sandbox);
    mountBank(scope, sandbox);
  });
}

const incompleteCard = 'Your card number is incomplete.';
const bankFailed = "We couldn't confirm this with your bank. Nothing was charged. Try again, or use another card.";
/** Returns what the page of a card says when its bank has said no. */
const troubleOf = (query: unknown) => (fieldOf(query, 'bank') === 'failed' ? bankFailed : undefined);
const bankOf = (id: string) => `/sandbox/bank/${encodeURIComponent(id)}`;
const cardOf = (body: unknown) =>
  fieldOf(body, 'method') === 'link' ? 'link' : fieldOf(body, 'card').replaceAll(/\D/g, '');
const isIncomplete = (card: string) => card !== 'link' && card.length < 13;

function planPageOf(
  { product, currency }: SandboxCheckout,
  { email, trialDays, asksForCard, monthlyCents }: NonNullable<SandboxCheckout['plan']>,
  trouble: string | undefined,
): string {
  const amount = formatMoney(monthlyCents, currency.toUpperCase());
  return writePlanPage({ product, amount, trialDays, asksForCard, email, trouble });
}

/** Where another card is given. */
function mountCards(scope: FastifyInstance, sandbox: Sandbox): void {
  type Asked = { Params: { portal: string } };
  const showForm = async (reply: FastifyReply, portal: string, trouble?: string) => {
    const asked = await sandbox.findCardPage(portal);
    return asked === undefined
      ? show(reply.code(404), writeOverPage())
      : show(reply, writeCardPage({ ...asked, trouble }));
  };
  scope.get<Asked>('/sandbox/card/:portal', { config }, ({ params, query }, reply) =>
    showForm(reply, params.portal, troubleOf(query)),
  );
  scope.post<Asked>('/sandbox/card/:portal', { config }, async ({ params: { portal }, body }, reply) => {
    const card = cardOf(body);
    if (isIncomplete(card) || (await sandbox.findCardPage(portal)) === undefined)
      return showForm(reply, portal, incompleteCard);
    const changed = await sandbox.changeCard(portal, card);
    if ('asksBank' in changed) return reply.redirect(bankOf(portal), 303);
    return 'declined' in changed ? showForm(reply, portal, changed.declined) : reply.redirect(changed.url, 303);
  });
}

function mountPaying(scope: FastifyInstance, sandbox: Sandbox): void {
  type Asked = { Params: { session: string } };
  const showForm = async (reply: FastifyReply, session: string, email = '', trouble?: string) => {
    const checkout = await sandbox.findCheckout(session);
    if (checkout === undefined) return show(reply.code(404), writeOverPage());
    // Whoever comes back to a payment that is made is led on, instead of being asked again.
    if (!checkout.isOpen) return show(reply, writeOverPage());
    if (checkout.plan !== undefined) return show(reply, planPageOf(checkout, checkout.plan, trouble));
    const { product, amountCents, currency, months, framed } = checkout;
    const amount = formatMoney(amountCents, currency.toUpperCase());
    const cancelUrl = framed === undefined ? checkout.cancelUrl : undefined;
    const form = { product, amount, months, cancelUrl, email: email || checkout.payerEmail || (framed?.email ?? '') };
    return show(reply, writePayPage({ ...form, trouble }));
  };
  const takePlan = async (reply: FastifyReply, session: string, { plan, isOpen }: SandboxCheckout, card: string) => {
    if (!isOpen) return show(reply, writeOverPage());
    const asksForCard = plan?.asksForCard === true;
    if (asksForCard && isIncomplete(card)) return showForm(reply, session, '', incompleteCard);
    const taken = await sandbox.takePlan(session, asksForCard ? card : undefined);
    if ('asksBank' in taken) return reply.redirect(bankOf(session), 303);
    return 'declined' in taken
      ? showForm(reply, session, '', `${taken.declined} Nothing was charged.`)
      : show(reply, writeDonePage(taken.url), donePolicy);
  };
  scope.get<Asked>('/sandbox/pay/:session', { config }, ({ params, query }, reply) =>
    showForm(reply, params.session, '', troubleOf(query)),
  );
  scope.post<Asked>('/sandbox/pay/:session', { config }, async ({ params: { session }, body }, reply) => {
    const card = cardOf(body);
    const begun = await sandbox.findCheckout(session);
    if (begun?.plan !== undefined) return takePlan(reply, session, begun, card);
    const email = fieldOf(body, 'email').trim().slice(0, 254);
    if (!emailPattern.test(email)) return showForm(reply, session, email, 'Please enter a valid email address');
    if (isIncomplete(card)) return showForm(reply, session, email, incompleteCard);
    if (begun === undefined) return show(reply.code(404), writeOverPage());
    const paid = await sandbox.pay(session, { email, card });
    if ('asksBank' in paid) return reply.redirect(bankOf(session), 303);
    if ('declined' in paid) return showForm(reply, session, email, `${paid.declined} Nothing was charged.`);
    return begun.framed === undefined
      ? reply.redirect(paid.url, 303)
      : show(reply, writeDonePage(paid.url), donePolicy);
  });
}

/** Where the owner of a card answers their bank. */
function mountBank(scope: FastifyInstance, sandbox: Sandbox): void {
  type Asked = { Params: { asked: string } };
  scope.get<Asked>('/sandbox/bank/:asked', { config }, async ({ params: { asked } }, reply) => {
    const about = await sandbox.findBankPage(asked);
    if (about === undefined) return show(reply.code(404), writeOverPage());
    const { amountCents, currency, last4 } = about;
    const amount = amountCents === 0 ? undefined : formatMoney(amountCents, currency.toUpperCase());
    return show(reply, writeBankPage({ amount, last4 }));
  });
  scope.post<Asked>('/sandbox/bank/:asked', { config }, async ({ params: { asked }, body }, reply) => {
    const begun = await sandbox.findCheckout(asked);
    const answered = await sandbox.answerBank(asked, fieldOf(body, 'answer') === 'complete');
    if (answered === undefined) return show(reply.code(404), writeOverPage());
    const place = asked.startsWith('bps_') ? 'card' : 'pay';
    if (!('url' in answered)) return reply.redirect(`/sandbox/${place}/${encodeURIComponent(asked)}?bank=failed`, 303);
    const isFramed = begun?.framed !== undefined || begun?.plan !== undefined;
    return isFramed ? show(reply, writeDonePage(answered.url), donePolicy) : reply.redirect(answered.url, 303);
  });
}

function answerOnboarding(sandbox: Sandbox, account: string, answer: string): Promise<string | undefined> {
  if (answer === 'rejected') return sandbox.rejectAccount(account);
  if (answer === 'no_bank' || answer === 'checked') return sandbox.answerPartly(account, answer);
  return sandbox.answerOnboarding(account, answer === 'complete');
}

function mountAccounts(scope: FastifyInstance, sandbox: Sandbox): void {
  type Asked = { Params: { account: string } };
  scope.get<Asked>('/sandbox/onboard/:account', { config }, async ({ params: { account } }, reply) =>
    (await sandbox.hasAccount(account)) ? show(reply, writeOnboarding()) : show(reply.code(404), writeOverPage()),
  );
  scope.post<Asked>('/sandbox/onboard/:account', { config }, async ({ params: { account }, body }, reply) => {
    const answer = fieldOf(body, 'answer');
    const url = await answerOnboarding(sandbox, account, answer);
    return url === undefined ? show(reply.code(404), writeOverPage()) : reply.redirect(url, 303);
  });
  scope.get<Asked>('/sandbox/account/:account', { config }, async ({ params: { account } }, reply) =>
    (await sandbox.hasAccount(account)) ? show(reply, writeAccountPage()) : show(reply.code(404), writeOverPage()),
  );
}
