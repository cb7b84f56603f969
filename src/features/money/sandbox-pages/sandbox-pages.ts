import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Sandbox } from '#engines/payments/sandbox-parts.ts';
import { formatMoney } from '#kit/text.ts';
import { sandboxPolicy, writeAccountPage, writeOnboarding, writeOverPage, writePayPage } from './page-html.ts';

const emailPattern = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;
const config = { who: ['anybody'] as const };

const show = (reply: FastifyReply, html: string): FastifyReply =>
  reply
    .header('content-security-policy', sandboxPolicy)
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
  });
}

function mountPaying(scope: FastifyInstance, sandbox: Sandbox): void {
  type Asked = { Params: { session: string } };
  const showForm = async (reply: FastifyReply, session: string, email = '', trouble?: string) => {
    const checkout = await sandbox.findCheckout(session);
    if (checkout === undefined) return show(reply.code(404), writeOverPage());
    // Whoever comes back to a payment that is made is led on, instead of being asked again.
    if (!checkout.isOpen) return show(reply, writeOverPage());
    const { product, amountCents, currency, cancelUrl } = checkout;
    const amount = formatMoney(amountCents, currency.toUpperCase());
    return show(reply, writePayPage({ product, amount, cancelUrl, email, trouble }));
  };
  scope.get<Asked>('/sandbox/pay/:session', { config }, (request, reply) => showForm(reply, request.params.session));
  scope.post<Asked>('/sandbox/pay/:session', { config }, async ({ params: { session }, body }, reply) => {
    const email = fieldOf(body, 'email').trim().slice(0, 254);
    const card = fieldOf(body, 'card').replaceAll(/\D/g, '');
    if (!emailPattern.test(email)) return showForm(reply, session, email, 'Please enter a valid email address');
    if (card.length < 13) return showForm(reply, session, email, 'Your card number is incomplete.');
    const checkout = await sandbox.findCheckout(session);
    if (checkout === undefined) return show(reply.code(404), writeOverPage());
    const paid = await sandbox.pay(session, { email, card });
    return 'declined' in paid
      ? showForm(reply, session, email, `${paid.declined} Nothing was charged.`)
      : reply.redirect(paid.url, 303);
  });
}

function mountAccounts(scope: FastifyInstance, sandbox: Sandbox): void {
  type Asked = { Params: { account: string } };
  scope.get<Asked>('/sandbox/onboard/:account', { config }, async ({ params: { account } }, reply) =>
    (await sandbox.hasAccount(account)) ? show(reply, writeOnboarding()) : show(reply.code(404), writeOverPage()),
  );
  scope.post<Asked>('/sandbox/onboard/:account', { config }, async ({ params: { account }, body }, reply) => {
    const url = await sandbox.answerOnboarding(account, fieldOf(body, 'answer') === 'complete');
    return url === undefined ? show(reply.code(404), writeOverPage()) : reply.redirect(url, 303);
  });
  scope.get<Asked>('/sandbox/account/:account', { config }, async ({ params: { account } }, reply) =>
    (await sandbox.hasAccount(account)) ? show(reply, writeAccountPage()) : show(reply.code(404), writeOverPage()),
  );
}
