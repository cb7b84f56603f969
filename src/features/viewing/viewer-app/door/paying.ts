import { formatPrice } from '#kit/text.ts';
import type { Refusal, Sale } from '../../contract.ts';
import type { Answers } from '../viewer-app.ts';

/** Makes an element of the door. */
export type Make = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  facts: Partial<HTMLElementTagNameMap[Tag]>,
  ...children: (Node | string)[]
) => HTMLElementTagNameMap[Tag];

export interface Till {
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

/** How a price is paid: loaded only where one is asked. @param make the loader's: no module may be shared with it */
export const listPrices = (make: Make, sale: Sale | undefined, till: Till): Node[] =>
  sale === undefined
    ? [
        make('button', { type: 'button', className: 'primary', onclick: () => till.answer({}) }, 'Try again'),
        alreadyPaid(make),
      ]
    : [...listTeaser(make, sale), ...listWays(make, sale, till)];

function listWays(make: Make, sale: Sale, till: Till): Node[] {
  const tip = sale.offers.find((offer) => offer.kind === 'tip');
  const price = sale.offers.find((offer) => offer.kind === 'pay');
  if (tip !== undefined) return listTips(make, sale, { tip, price }, till);
  if (price === undefined) return [];
  const { id, priceCents } = price;
  const pay = payButton(make, `Pay ${formatPrice(priceCents, sale.currency)}`);
  pay.onclick = (event) => {
    event.preventDefault();
    void send(till, { offerId: id, amountCents: priceCents });
  };
  return [pay, ...terms(make, sale)];
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

/** A tip of one tap or of any amount, with a few words; where a price opens it as well, that comes first. */
function listTips(
  make: Make,
  sale: Sale,
  { tip, price }: { tip: Tip; price: Extract<Offer, { kind: 'pay' }> | undefined },
  till: Till,
): Node[] {
  const money = (cents: number) => formatPrice(cents, sale.currency);
  let wish = { offerId: tip.id, amountCents: tip.minCents };
  const pay = payButton(make, '');
  const other = make('input', {
    ...{ className: 'field', inputMode: 'decimal', id: 'other', autocomplete: 'off' },
    placeholder: `${money(tip.minCents)} or more`,
  });
  const otherPlace = make('label', { className: 'quiet small', htmlFor: 'other', hidden: true }, 'Your tip', other);
  Object.assign(otherPlace.style, { display: 'grid', gap: '0.375rem', ...wide });
  const message = make('textarea', { className: 'field', id: 'typed', maxLength: 200, rows: 2 });
  Object.assign(message.style, {
    ...wide,
    padding: '0.75rem 1rem',
    lineHeight: '1.4',
    textAlign: 'left',
    resize: 'vertical',
  });
  const label = make('label', { className: 'quiet small', htmlFor: 'typed' }, 'Message (optional)');
  const knobs: HTMLButtonElement[] = [];
  /** @param chosen what a tap chose; undefined for what is typed */
  const choose = (knob: HTMLButtonElement, offer: Offer, chosen: number | undefined) => {
    for (const each of knobs) press(each, each === knob);
    const isTyped = chosen === undefined;
    otherPlace.hidden = !isTyped;
    const typed = Math.round(Number(other.value.replaceAll(/[^\d.]/g, '')) * 100);
    wish = { offerId: offer.id, amountCents: chosen ?? typed };
    const isGood = !isTyped || (typed >= tip.minCents && typed <= sale.mostCents);
    pay.disabled = !isGood;
    pay.textContent = isGood ? `Pay ${money(wish.amountCents)}` : `${money(tip.minCents)} to ${money(sale.mostCents)}`;
    message.hidden = label.hidden = offer.kind !== 'tip';
    if (isTyped && document.activeElement !== other) other.focus();
  };
  const presets = make('div', { role: 'group', ariaLabel: price ? 'What you pay' : 'Your tip' });
  Object.assign(presets.style, { display: 'flex', flexWrap: 'wrap', justifyContent: 'center', gap: '0.5rem' });
  const add = (text: string, offer: Offer, cents: number | undefined) => {
    const knob: HTMLButtonElement = make('button', { type: 'button', onclick: () => choose(knob, offer, cents) }, text);
    Object.assign(knob.style, round);
    knobs.push(knob);
    presets.append(knob);
    return knob;
  };
  if (price) add(money(price.priceCents), price, price.priceCents);
  for (const cents of tip.presetsCents) add(`${money(cents)}${price ? ' tip' : ''}`, tip, cents);
  const any = add(price ? 'Other tip' : 'Other', tip, undefined);
  other.oninput = () => choose(any, tip, undefined);
  pay.onclick = (event) => {
    event.preventDefault();
    void send(till, { ...wish, ...(!message.hidden && { message: message.value }) });
  };
  knobs[0]?.click();
  return [presets, otherPlace, label, message, pay, ...terms(make, sale)];
}

/** Shows which amount is chosen, to the eye and to a screen reader. */
function press(knob: HTMLButtonElement, isChosen: boolean): void {
  knob.ariaPressed = String(isChosen);
  Object.assign(knob.style, {
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

/** What holds when it is paid, before it is paid. */
function terms(make: Make, { isSandbox }: Sale): Node[] {
  const note = (text: string) => {
    const line = make('p', { className: 'quiet small' }, text);
    line.style.maxWidth = '24rem';
    return line;
  };
  return [
    ...(isSandbox ? [note('Test payments, no real money.')] : []),
    note('One payment by card, no account needed. Your card statement will show PF DIGITAL.'),
    note(
      'The creator can end access at any time. If that happens before you open it, or within 7 days of paying, you are refunded automatically.',
    ),
    alreadyPaid(make),
  ];
}

/** The facts have changed: it is open by now, something else is in the way, or it costs something else. */
const askAgain = ['LINK', 'ALREADY_PURCHASED', 'PRICE_CHANGED'];

/** Goes where it is paid; a second tap meanwhile is the same payment. */
async function send(till: Till, wish: { offerId: string; amountCents: number; message?: string }): Promise<void> {
  till.setBusy(true);
  try {
    const headers = { 'content-type': 'application/json' };
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const body = JSON.stringify({ ...wish, timeZone });
    const answer = await fetch(`/api/view/${till.slug}/checkout`, { method: 'POST', headers, body });
    const said = (await answer.json()) as { url?: string; message?: string; code?: string } & Partial<Refusal>;
    if (said.url !== undefined) {
      // Whoever comes back by the browser's own button finds the page as it was left.
      addEventListener('pageshow', () => till.setBusy(false), { once: true });
      location.assign(said.url);
      return; // it stays busy until the other page has come
    }
    till.setBusy(false);
    if (said.code !== undefined && askAgain.includes(said.code)) till.answer({});
    else till.fail(said.message ?? offline);
  } catch {
    till.setBusy(false);
    till.fail(offline);
  }
}
