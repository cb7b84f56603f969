import { refundPromise, renewalTerms } from '#features/notices/refund-promise.ts';
import { describeStatement } from '#features/settings/statement-rules.ts';
import { readCents } from '#kit/cents.ts';
import { formatPrice } from '#kit/text.ts';
import type { Refusal } from '../../contract.ts';
import type { Sale, SoldTier } from '../../sale-contract.ts';
import type { Answers } from '../viewer-app.ts';

/** Makes an element of the door. */
export type Make = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  facts: Partial<HTMLElementTagNameMap[Tag]>,
  ...children: (Node | string)[]
) => HTMLElementTagNameMap[Tag];

export interface Checkout {
  slug: string;
  /** Says what went wrong. */
  fail(text: string): void;
  setBusy(isBusy: boolean): void;
  /** Asks to be let in again: it was paid meanwhile, or something else is in the way. */
  answer(answers: Answers): void;
}

const wide = { width: '100%', maxWidth: '22rem' };
const round = { minWidth: '4.5rem', padding: '0 1rem', border: '1px solid', borderRadius: '999px' };
const offline = 'No connection. Please try again.';

type Offer = Sale['offers'][number];
type Tip = Extract<Offer, { kind: 'tip' }>;

/** One way to pay, chosen by a tap. */
interface Way {
  /** What its button says, and what the button does that pays. */
  label: string;
  pay: string;
  order: { offerId: string; amountCents: number; tierId?: string; months?: number };
  /** What it is, where its price does not say it. */
  about?: string;
  isTip?: boolean;
  /** Paid again after so many. */
  months?: number;
}

/** Returns how a price is paid: loaded only where one is asked. @param make the loader's: no module may be shared with it */
export function listPrices(make: Make, sale: Sale | undefined, checkout: Checkout): Node[] {
  const again = (label: string) =>
    make('button', { type: 'button', className: 'primary', onclick: () => checkout.answer({}) }, label);
  if (sale === undefined) return [again('Try again'), alreadyPaid(make)];
  if (sale.waitsFor === undefined) return [...listTeaser(make, sale), ...listWays(make, sale, checkout)];
  const retry = again('Retry');
  void awaitPayment(sale.waitsFor, retry).then((isOver) => isOver && checkout.answer({}));
  return [retry, alreadyPaid(make)];
}

const askEveryMs = 2000;
const mostAsked = 300;

/** @returns true once the bank has said something; false when the gate is gone before, or it takes very long */
async function awaitPayment(sessionId: string, shown: HTMLElement): Promise<boolean> {
  for (let n = 0; n < mostAsked; n++) {
    await new Promise((go) => setTimeout(go, askEveryMs));
    if (!shown.isConnected) return false;
    const headers = { 'content-type': 'application/json', 'x-csrf-token': 'orpc' };
    const body = JSON.stringify({ sessionId });
    const state = await fetch('/api/v1/view/checkout-status', { method: 'POST', headers, body })
      .then(async (answer) => (answer.ok ? ((await answer.json()) as { state?: string }).state : undefined))
      .catch(() => undefined); // it is asked again
    if (state !== undefined && state !== 'processing') return true;
  }
  return false;
}

function listWays(make: Make, sale: Sale, checkout: Checkout): Node[] {
  const ways = sale.offers.flatMap((offer) => waysOf(offer, sale));
  const tip = sale.offers.find((offer) => offer.kind === 'tip');
  const pay = payButton(make, '');
  const about = note(make, '');
  const message = listMessage(make);
  const rules = note(make, '');
  let chosen: Way | undefined;
  /** @param way undefined for an amount that is no good */
  const choose = (way: Way | undefined, isTip: boolean) => {
    chosen = way;
    pay.disabled = way === undefined;
    const range = tip && `${formatPrice(tip.minCents, sale.currency)} to ${formatPrice(sale.mostCents, sale.currency)}`;
    pay.textContent = way?.pay ?? range ?? '';
    about.textContent = way?.about ?? '';
    about.hidden = !way?.about;
    for (const part of message) part.hidden = !isTip;
    rules.textContent = way?.months ? renewalTerms : refundPromise;
  };
  pay.onclick = (event) => {
    event.preventDefault();
    const [, field] = message;
    const words = field instanceof HTMLTextAreaElement && !field.hidden ? { message: field.value } : {};
    if (chosen) void send(checkout, { ...chosen.order, ...words, shownTerms: rules.textContent ?? '' });
  };
  const buttons = tip || ways.length > 1 ? listButtons(make, { sale, ways, tip }, choose) : [];
  if (buttons.length === 0) choose(ways[0], false);
  return [...buttons, about, ...message, pay, ...terms(make, sale, rules)];
}

const money = (cents: number, { currency }: Sale) => formatPrice(cents, currency);

function waysOf(offer: Offer, sale: Sale): Way[] {
  const { id: offerId } = offer;
  if (offer.kind === 'pay') {
    const price = money(offer.priceCents, sale);
    return [withThen({ label: price, pay: `Pay ${price}`, order: { offerId, amountCents: offer.priceCents } }, offer)];
  }
  if (offer.kind === 'fan_sub')
    return offer.tiers.flatMap((tier) =>
      [{ months: 1, priceCents: tier.priceCents }, ...tier.longer].map((term) =>
        withThen(termOf(offerId, tier, term, sale), offer),
      ),
    );
  return offer.presetsCents.map((cents) => tipOf(offer, cents, sale));
}

/** So many months of a tier, paid at once. */
function termOf(
  offerId: string,
  { id: tierId, name, priceCents, benefits }: SoldTier,
  { months, priceCents: amountCents }: { months: number; priceCents: number },
  sale: Sale,
): Way {
  const price = `${money(amountCents, sale)} ${months === 1 ? 'a month' : `for ${months} months`}`;
  const savedCents = priceCents * months - amountCents;
  const about = `${benefits ? `${name}: ${benefits}` : name}${savedCents > 0 ? ` You save ${money(savedCents, sale)}.` : ''}`;
  return {
    label: price,
    pay: `${months === 1 ? 'Subscribe for' : 'Pay'} ${price}`,
    order: { offerId, amountCents, tierId, months },
    about,
    months,
  };
}

function tipOf(offer: Tip, amountCents: number, sale: Sale): Way {
  const { id: offerId } = offer;
  const price = money(amountCents, sale);
  const label = sale.offers.length > 1 ? `${price} tip` : price;
  return withThen({ label, pay: `Pay ${price}`, order: { offerId, amountCents }, isTip: true }, offer);
}

/** What has to follow before it opens, said beside the button that pays. */
function withThen(way: Way, { afterwards }: Pick<Offer, 'afterwards'>): Way {
  if (afterwards === undefined) return way;
  const more = `This is one part. It opens after ${afterwards} as well.`;
  return { ...way, about: way.about ? `${way.about} ${more}` : more };
}

/** What the creator shows before payment: pictures that have no more in them than is seen. */
function listTeaser(make: Make, { teaser }: Sale): Node[] {
  if (teaser.length === 0) return [];
  const place = make('div', { role: 'img', ariaLabel: `${teaser.length} blurred pictures from this album` });
  const columns = Math.min(teaser.length, teaser.length % 4 === 0 ? 4 : 3);
  Object.assign(place.style, { ...grid, gridTemplateColumns: `repeat(${columns}, 1fr)` });
  for (const picture of teaser) {
    const image = make('img', { alt: '', src: `data:image/webp;base64,${picture}`, draggable: false });
    Object.assign(image.style, { width: '100%', aspectRatio: '1', objectFit: 'cover', ...softly });
    const frame = make('span', {}, image);
    Object.assign(frame.style, { display: 'grid', overflow: 'hidden', borderRadius: '0.75rem' });
    place.append(frame);
  }
  return [place];
}

/** So few pixels would show as squares; their blurred edges lie outside of the frame. */
const softly = { filter: 'blur(0.5rem)', transform: 'scale(1.2)' };
const grid = { display: 'grid', gap: '0.5rem', width: '100%', maxWidth: '22rem' };

function payButton(make: Make, text: string): HTMLButtonElement {
  const pay = make('button', { type: 'submit', className: 'primary' }, text);
  Object.assign(pay.style, wide);
  return pay;
}

/** A few words with a tip. @returns the label and its field */
function listMessage(make: Make): HTMLElement[] {
  const message = make('textarea', { className: 'field', id: 'typed', maxLength: 200, rows: 2 });
  Object.assign(message.style, {
    ...wide,
    padding: '0.75rem 1rem',
    lineHeight: '1.4',
    textAlign: 'left',
    resize: 'vertical',
  });
  return [make('label', { className: 'quiet small', htmlFor: 'typed' }, 'Message (optional)'), message];
}

/** Every way to pay as a button, and a tip of any other amount; the first is chosen. */
function listButtons(
  make: Make,
  { sale, ways, tip }: { sale: Sale; ways: readonly Way[]; tip: Tip | undefined },
  choose: (way: Way | undefined, isTip: boolean) => void,
): Node[] {
  const isOnlyTip = sale.offers.length === 1 && tip !== undefined;
  const group = make('div', { role: 'group', ariaLabel: isOnlyTip ? 'Your tip' : 'What you pay' });
  Object.assign(group.style, { display: 'flex', flexWrap: 'wrap', justifyContent: 'center', gap: '0.5rem' });
  const other = make('input', { className: 'field', inputMode: 'decimal', id: 'other', autocomplete: 'off' });
  const otherPlace = make('label', { className: 'quiet small', htmlFor: 'other', hidden: true }, 'Your tip', other);
  Object.assign(otherPlace.style, { display: 'grid', gap: '0.375rem', ...wide });
  const buttons: HTMLButtonElement[] = [];
  const add = (text: string, pick: () => void) => {
    const button: HTMLButtonElement = make('button', { type: 'button' }, text);
    Object.assign(button.style, round);
    button.onclick = () => {
      for (const each of buttons) press(each, each === button);
      otherPlace.hidden = true;
      pick();
    };
    buttons.push(button);
    group.append(button);
  };
  const addOther = (offer: Tip) => {
    other.placeholder = `${money(offer.minCents, sale)} or more`;
    other.oninput = () => {
      const typed = readCents(other.value);
      const isGood = typed >= offer.minCents && typed <= sale.mostCents;
      choose(isGood ? tipOf(offer, typed, sale) : undefined, true);
    };
    add(isOnlyTip ? 'Other' : 'Other tip', () => {
      otherPlace.hidden = false;
      other.dispatchEvent(new Event('input'));
      other.focus();
    });
  };
  for (const [n, way] of ways.entries()) {
    add(way.label, () => choose(way, way.isTip === true));
    if (tip && way.isTip && !ways[n + 1]?.isTip) addOther(tip);
  }
  buttons[0]?.click();
  return [group, otherPlace];
}

/** Shows which amount is chosen, to the eye and to a screen reader. */
function press(button: HTMLButtonElement, isChosen: boolean): void {
  button.setAttribute('aria-pressed', String(isChosen));
  Object.assign(button.style, {
    borderColor: isChosen ? 'var(--plum)' : 'var(--edge)',
    background: isChosen ? 'var(--plum-wash)' : '',
    color: isChosen ? 'var(--plum)' : '',
  });
}

/** The way for whoever has paid in another browser. */
function alreadyPaid(make: Make): Node {
  const facts = { className: 'quiet small', href: '/find-my-purchases' };
  const way = make('a', facts, 'Already paid? Get your link by email');
  Object.assign(way.style, { display: 'grid', alignContent: 'center', minHeight: '2.75rem' });
  return way;
}

function note(make: Make, text: string): HTMLParagraphElement {
  const line = make('p', { className: 'quiet small' }, text);
  line.style.maxWidth = '24rem';
  return line;
}

/** What holds when it is paid, before it is paid. */
function terms(make: Make, { isSandbox, statementDescriptor }: Sale, rules: Node): Node[] {
  return [
    ...(isSandbox ? [note(make, 'Test payments, no real money.')] : []),
    note(make, `By card, no account needed. ${describeStatement(statementDescriptor)}`),
    rules,
    alreadyPaid(make),
  ];
}

/** The facts have changed: it is open by now, something else is in the way, or it costs something else. */
const askAgain = ['LINK', 'ALREADY_PURCHASED', 'PRICE_CHANGED'];

/** Goes where it is paid; a second tap meanwhile is the same payment. */
async function send(checkout: Checkout, order: Way['order'] & { message?: string; shownTerms: string }): Promise<void> {
  checkout.setBusy(true);
  try {
    const headers = { 'content-type': 'application/json' };
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const body = JSON.stringify({ ...order, timeZone });
    const answer = await fetch(`/api/view/${checkout.slug}/checkout`, { method: 'POST', headers, body });
    const said = (await answer.json()) as { url?: string; message?: string; code?: string } & Partial<Refusal>;
    if (said.url !== undefined) {
      // Whoever comes back by the browser's own button finds the page as it was left.
      addEventListener('pageshow', () => checkout.setBusy(false), { once: true });
      location.assign(said.url);
      return; // it stays busy until the other page has come
    }
    checkout.setBusy(false);
    if (said.code !== undefined && askAgain.includes(said.code)) checkout.answer({});
    else checkout.fail(said.message ?? offline);
  } catch {
    checkout.setBusy(false);
    checkout.fail(offline);
  }
}
