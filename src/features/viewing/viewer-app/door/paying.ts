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

/** How a price is paid: loaded only where one is asked. @param make the loader's: no module may be shared with it */
export function listPrices(make: Make, sale: Sale, till: Till): Node[] {
  const [offer] = sale.offers;
  if (offer === undefined) return [];
  const money = (cents: number) => formatPrice(cents, sale.currency);
  let cents = offer.minCents;
  const pay = make('button', { type: 'submit', className: 'primary' }, `Pay ${money(cents)}`);
  Object.assign(pay.style, wide);
  const other = make('input', {
    ...{
      className: 'field',
      inputMode: 'decimal',
      id: 'other',
      placeholder: `${money(offer.minCents)} or more`,
      autocomplete: 'off',
    },
  });
  const otherPlace = make('label', { className: 'quiet small', htmlFor: 'other', hidden: true }, 'Your tip', other);
  Object.assign(otherPlace.style, { display: 'grid', gap: '0.375rem', ...wide });
  const knobs: HTMLButtonElement[] = [];
  const choose = (chosen: number | undefined) => {
    for (const knob of knobs) press(knob, knob.value === String(chosen ?? ''));
    otherPlace.hidden = chosen !== undefined;
    cents = chosen ?? Math.round(Number(other.value.replaceAll(/[^\d.]/g, '')) * 100);
    const isGood = cents >= offer.minCents && cents <= sale.mostCents;
    pay.disabled = !isGood;
    pay.textContent = isGood ? `Pay ${money(cents)}` : `${money(offer.minCents)} to ${money(sale.mostCents)}`;
    if (chosen === undefined && document.activeElement !== other) other.focus();
  };
  other.oninput = () => choose(undefined);
  const presets = make('div', { role: 'group', ariaLabel: 'Your tip' });
  Object.assign(presets.style, { display: 'flex', flexWrap: 'wrap', justifyContent: 'center', gap: '0.5rem' });
  for (const preset of [...offer.presetsCents, undefined]) {
    const knob = make(
      'button',
      { type: 'button', value: String(preset ?? ''), onclick: () => choose(preset) },
      preset === undefined ? 'Other' : money(preset),
    );
    Object.assign(knob.style, round);
    knobs.push(knob);
    presets.append(knob);
  }
  const message = make('textarea', { className: 'field', id: 'typed', maxLength: 200, rows: 2 });
  Object.assign(message.style, {
    ...wide,
    padding: '0.75rem 1rem',
    lineHeight: '1.4',
    textAlign: 'left',
    resize: 'vertical',
  });
  const label = make('label', { className: 'quiet small', htmlFor: 'typed' }, 'Message (optional)');
  pay.onclick = (event) => {
    event.preventDefault();
    void send(till, { offerId: offer.id, amountCents: cents, message: message.value });
  };
  choose(offer.minCents);
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
  ];
}

/** Goes where it is paid; a second tap meanwhile is the same payment. */
async function send(till: Till, wish: { offerId: string; amountCents: number; message: string }): Promise<void> {
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
    if (said.code === 'LINK' || said.code === 'ALREADY_PURCHASED') till.answer({});
    else till.fail(said.message ?? offline);
  } catch {
    till.setBusy(false);
    till.fail(offline);
  }
}
