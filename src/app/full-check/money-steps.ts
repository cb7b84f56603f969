import type { Sandbox } from '#engines/payments/sandbox-parts.ts';
import type { LinkRulesInput } from '#features/links/contract.ts';
import { heldTerms, refundPromise, renewalTerms } from '#features/notices/refund-promise.ts';
import { describeAnswer, type SyntheticBrowser } from './browser.ts';
import { readCode } from './creator-steps.ts';
import type { Step } from './step.ts';
import { expectRefusal, open } from './tapping.ts';
import { makeLink } from './viewer-steps.ts';
import { made, NotRun, type World } from './world.ts';

const testCard = '4242424242424242';
const [tipCents, albumCents, tierCents, requestCents] = [500, 700, 999, 2000];

/** The built-in provider. @throws NotRun where another one takes the money */
function sandboxOf({ engines: { sandbox, payments } }: World): Sandbox {
  if (sandbox !== undefined) return sandbox;
  if (payments.isOff) throw new NotRun('Not run here: this installation takes no payments.');
  throw new NotRun(
    `Not run here: ${payments.realm.livemode ? 'real money' : 'the payments are not of the built-in sandbox'}.`,
  );
}

async function connect(world: World): Promise<string> {
  const sandbox = sandboxOf(world);
  const { money } = made(world.creator, 'creator').browser.calls;
  const { url } = await money.connect({ country: 'US' });
  await sandbox.answerOnboarding(url.split('/').at(-1) ?? '', true);
  await money.checkAccount({});
  const { account } = await money.account({});
  if (account !== 'complete') throw new Error(`The payout account is ${account}.`);
  return '';
}

type Condition = LinkRulesInput['offers'][number]['all'][number];

interface Sale {
  name: string;
  condition: Condition;
  amountCents: number;
  tierId?: string;
}

/** Pays for a link with the test card, and opens it. */
async function buy(world: World, { name, condition, amountCents, tierId }: Sale): Promise<string> {
  const sandbox = sandboxOf(world);
  const { slug } = await makeLink(world, name, { rules: { offers: [{ id: 'offer', all: [condition] }] } });
  const viewer = world.openPhone();
  await expectRefusal(viewer, slug, 'NEED_OFFER');
  const shownTerms = tierId === undefined ? refundPromise : renewalTerms;
  const payload = { offerId: 'offer', amountCents, shownTerms, ...(tierId !== undefined && { tierId }) };
  const { bytes } = await viewer.must('POST', `/api/view/${slug}/checkout`, { payload });
  const { url } = JSON.parse(String(bytes)) as { url?: string };
  if (url === undefined) throw new Error(`Paying was answered with ${describeAnswer({ status: 200, bytes })}`);
  await payAt(world, viewer, sandbox, url);
  await open(viewer, slug);
  return `$${(amountCents / 100).toFixed(2)} were paid with a test card, and the link opened.`;
}

async function payAt(world: World, viewer: SyntheticBrowser, sandbox: Sandbox, url: string): Promise<void> {
  const sessionId = url.split('/').at(-1) ?? '';
  await sandbox.pay(sessionId, { email: world.addressOf('fan'), card: testCard });
  await world.until('The payment', async () => {
    const { state } = await viewer.calls.viewing.checkoutStatus({ sessionId });
    if (state === 'failed' || state === 'returned') throw new Error(`The payment is ${state}.`);
    return state === 'done' ? true : undefined;
  });
}

async function subscribe(world: World): Promise<string> {
  sandboxOf(world);
  const { fans } = made(world.creator, 'creator').browser.calls;
  const { id: tierId } = await fans.createTier({ name: 'Full check', priceCents: tierCents });
  const condition: Condition = { kind: 'fan_sub', tierIds: [tierId] };
  return buy(world, { name: 'subscribers', condition, amountCents: tierCents, tierId });
}

async function order(world: World): Promise<string> {
  const sandbox = sandboxOf(world);
  const { calls } = made(world.creator, 'creator').browser;
  const settings = { isOn: true, leastCents: requestCents, priceList: [], days: 5, wontDo: '', mostOpen: 5 };
  await calls.requests.changeSettings(settings);
  const { slug } = await makeLink(world, 'custom work');
  const viewer = world.openPhone();
  await open(viewer, slug);
  const asked = viewer.calls.requests;
  const email = world.addressOf('fan');
  await asked.mailCode({ slug, email });
  const brief = { title: 'Full check', brief: 'A photo of the dunes.', kind: 'photo', quantity: 1 } as const;
  const emailCode = await readCode(world, email);
  const { code } = await asked.ask({ slug, ...brief, offeredCents: requestCents, emailCode });
  const requestId = code.split('.')[0] ?? '';
  await calls.requests.accept({ requestId, days: 5 });
  const { url } = await asked.pay({ code, amountCents: requestCents, shownTerms: heldTerms });
  const sessionId = url.split('/').at(-1) ?? '';
  await sandbox.pay(sessionId, { email, card: testCard });
  await world.until('The payment of the request', async () =>
    (await asked.paid({ sessionId })).state === 'paid' ? true : undefined,
  );
  await calls.requests.deliver({ requestId, albumId: made(world.album, 'album').id, text: 'Here it is.' });
  const { viewPath } = await asked.open({ code });
  await open(viewer, viewPath.split('/').at(-1) ?? '');
  const { state } = await asked.say({ code, what: 'accept' });
  return `It was paid, delivered and accepted; it is ${state}.`;
}

async function giveBack(world: World): Promise<string> {
  sandboxOf(world);
  const { money } = made(world.creator, 'creator').browser.calls;
  const listTips = async () => (await money.listEarnings({ filter: 'tips', limit: 10 })).rows;
  const tip = await world.until('The tip in the earnings', async () =>
    (await listTips()).find(({ orderId, kind }) => kind === 'tip' && orderId !== null),
  );
  await money.refund({ orderId: tip.orderId ?? '' });
  await world.until('The refund', async () =>
    (await listTips()).some(({ orderId, state }) => orderId === tip.orderId && state === 'refunded') ? true : undefined,
  );
  const { slug } = made(world.links.get('tip'), 'link that was paid for');
  await expectRefusal(world.openPhone(), slug, 'NEED_OFFER');
  return 'The tip went back.';
}

/** What is paid, with test money only. */
export const moneySteps: readonly Step[] = [
  { key: 'connect', title: 'A payout account is connected', needs: ['set_up'], run: connect },
  {
    key: 'tip',
    title: 'A tip opens a link',
    needs: ['photo', 'connect'],
    run: (world) => buy(world, { name: 'tip', condition: { kind: 'tip', minCents: tipCents }, amountCents: tipCents }),
  },
  {
    key: 'pay',
    title: 'An album is bought',
    needs: ['photo', 'connect'],
    run: (world) =>
      buy(world, { name: 'price', condition: { kind: 'pay', priceCents: albumCents }, amountCents: albumCents }),
  },
  { key: 'subscribe', title: 'A fan subscribes', needs: ['photo', 'connect'], run: subscribe },
  { key: 'custom', title: 'Custom work is asked for, paid and delivered', needs: ['photo', 'connect'], run: order },
];

/** What goes back. */
export const refundSteps: readonly Step[] = [
  { key: 'refund', title: 'A payment is given back', needs: ['tip'], run: giveBack },
];
