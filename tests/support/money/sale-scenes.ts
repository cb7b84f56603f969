import { heldTerms, pageTipRule, renewalTerms } from '#features/notices/refund-promise.ts';
import type { SaleKind } from '#features/sales/rules.ts';
import { dayMs } from '#kit/time.ts';
import { seedAlbum } from '../media/pictures.ts';
import { advance, must, type Person, readRow, readRows, signUpCreator } from '../people.ts';
import { type SharedAlbum, shareAlbum } from '../shared-link.ts';
import { type Browser, newBrowser, type TestApp } from '../test-app.ts';
import { fansToOpen, makeTier, tapSubscribe } from './fans.ts';
import { sessionOfSecret } from './planning.ts';
import { askAtLink, takeRequests } from './requests.ts';
import { connectPayouts, goodCard, payToOpen, type post, sessionOf, tapDoor, tapPay, tipToOpen } from './selling.ts';

/** Something that somebody is paying for: its checkout is open. */
export interface OpenSale {
  kind: SaleKind;
  sessionId: string;
  browser: Browser;
  email: string;
  slug?: string;
  linkId?: string;
  requestId?: string;
}

/** What is for sale, and by whom. */
export interface SaleStage {
  shared: SharedAlbum;
  creator: Person;
  handle: string;
  tierId: string;
  /** What links show; two albums in a bundle. */
  albumIds: readonly [string, string];
  /** A link that is free and lets everybody in once. */
  freeSlug: string;
  /** Buys credits and a plan. */
  buyer: Person;
}

/** A creator who sells everything that there is, and another one who buys of the platform. */
export async function openSaleStage(app: TestApp): Promise<SaleStage> {
  const shared = await shareAlbum(app, { count: 1 });
  const { creator, albumId } = shared;
  await connectPayouts(app, creator);
  await takeRequests(app, creator);
  await must(app, 'accounts.setPublicPage', { isOn: true }, creator.browser);
  const { handle } = await readRow<{ handle: string }>(app, 'select handle from users where id = $1', [creator.userId]);
  const second = await seedAlbum(app, creator.userId, [shared.photos[0]?.mediaId ?? '']);
  const buyer = await signUpCreator(app);
  return {
    shared,
    creator,
    handle,
    buyer,
    albumIds: [albumId, second] as const,
    tierId: await makeTier(app, creator),
    freeSlug: (await shared.makeLink()).slug,
  };
}

let count = 0;

/** Begins to pay for something, in a browser that the creator has let in before. */
export async function openSale(app: TestApp, stage: SaleStage, kind: SaleKind): Promise<OpenSale> {
  // Nobody pays for many things in the same second.
  advance(app, 2000);
  const browser = newBrowser();
  await tapDoor(app, stage.freeSlug, browser);
  const email = `${kind.replace('_', '-')}-${++count}@example.com`;
  return { kind, browser, email, ...(await openers[kind](app, stage, browser)) };
}

type Opener = (
  app: TestApp,
  stage: SaleStage,
  browser: Browser,
) => Promise<Omit<OpenSale, 'kind' | 'email' | 'browser'> & { browser?: Browser; email?: string }>;

const sessionAt = (answer: { status: number; body: { url?: string } }): string => {
  if (answer.status !== 200) throw new Error(`the checkout answered ${answer.status} ${JSON.stringify(answer.body)}`);
  return sessionOf(answer.body.url);
};

const atLink =
  (
    rules: object,
    tap: (app: TestApp, slug: string, browser: Browser, stage: SaleStage) => ReturnType<typeof post>,
    albums = 1,
  ): Opener =>
  async (app, stage, browser) => {
    const albumIds = stage.albumIds.slice(0, albums);
    const { id: linkId, slug } = await stage.shared.makeLink(rules, { albumIds, expiry: { kind: 'after', hours: 24 } });
    await tapDoor(app, slug, browser);
    return { linkId, slug, sessionId: sessionAt(await tap(app, slug, browser, stage)) };
  };
const buy: Parameters<typeof atLink>[1] = (app, slug, browser) => tapPay(app, slug, browser, 1000, { offerId: 'pay' });

/** Credits are bought during a trial; a plan after it, so that it is paid for at once. */
const endTrial = (app: TestApp, { userId }: Person, inDays: number) =>
  readRows(app, 'update users set trial_ends_at = $2 where id = $1', [
    userId,
    new Date(app.engines.clock() + inDays * dayMs),
  ]);

const openers: Readonly<Record<SaleKind, Opener>> = {
  link_tip: atLink(tipToOpen(1000), (app, slug, browser) => tapPay(app, slug, browser)),
  album: atLink(payToOpen(1000), buy),
  bundle: atLink(payToOpen(1000), buy, 2),
  link_fan: atLink(fansToOpen(), (app, slug, browser, { tierId }) => tapSubscribe(app, slug, browser, tierId)),
  async page_tip(app, { handle }, browser) {
    const params = { handle, amountCents: 1000, shownTerms: pageTipRule };
    return { sessionId: sessionOf((await must(app, 'viewing.tipOnPage', params, browser)).url) };
  },
  async page_fan(app, { handle, tierId }, browser) {
    const params = { handle, tierId, priceCents: 999, shownTerms: renewalTerms };
    return { sessionId: sessionOf((await must(app, 'viewing.subscribe', params, browser)).url) };
  },
  async request(app, { shared, creator }) {
    const { id: requestId, code, browser, email } = await askAtLink(app, shared);
    await must(app, 'requests.accept', { requestId, days: 7 }, creator.browser);
    const { url } = await must(app, 'requests.pay', { code, amountCents: 4000, shownTerms: heldTerms }, browser);
    return { requestId, browser, email, sessionId: sessionOf(url) };
  },
  async credits(app, { buyer }) {
    const { browser, email } = buyer;
    await endTrial(app, buyer, 3);
    const { clientSecret } = await must(app, 'credits.buy', { credits: 50, mode: 'embedded' }, browser);
    return { browser, email, sessionId: sessionOfSecret(clientSecret) };
  },
  async plan(app, { buyer }) {
    const { browser, email } = buyer;
    await endTrial(app, buyer, -1);
    const { clientSecret } = await must(app, 'billing.createPlanCheckout', { mode: 'embedded' }, browser);
    return { browser, email, sessionId: sessionOfSecret(clientSecret) };
  },
};

/** Pays what is open, on the provider's page. @throws when it is not taken there any more */
export async function paySale(app: TestApp, { kind, sessionId, email }: OpenSale): Promise<void> {
  const { sandbox } = app.engines;
  const paid = await (kind === 'plan'
    ? sandbox?.takePlan(sessionId, goodCard)
    : sandbox?.pay(sessionId, { email, card: goodCard }));
  if (paid === undefined || 'declined' in paid) throw new Error(`the ${kind} was not paid`);
}
