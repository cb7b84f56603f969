import { pageTipRule } from '#features/notices/refund-promise.ts';
import { describeStatement } from '#features/settings/statement-rules.ts';
import { readCents } from '#kit/cents.ts';
import { formatPrice } from '#kit/text.ts';
import type { TipForm } from '../creators/page-sale.ts';
import { makeElement as make } from './make-element.ts';
import { payOnPage } from './pay-on-page.ts';

const box =
  'w-full rounded-control border border-edge bg-raised px-3.5 text-17 font-normal text-ink placeholder:text-quiet';
const buttonLook =
  'min-h-11 rounded-full border border-line bg-raised px-1 font-strong tabular-nums aria-pressed:border-plum aria-pressed:bg-plum-wash aria-pressed:text-plum';
const labelLook = 'grid gap-1.5 text-13 font-medium text-quiet';

/** Takes the place of the button: an amount by one tap, words for them, and the way to pay. */
export function showTipForm(place: HTMLElement, form: TipForm): void {
  const { handle, presetsCents } = form;
  const money = (cents: number) => formatPrice(cents, form.currency.toUpperCase());
  let amountCents = 0;
  const pay = make('button', {
    type: 'submit',
    className:
      'inline-flex min-h-13 w-full items-center justify-center rounded-control bg-plum px-6 text-17 font-strong text-on-plum hover:bg-plum-deep disabled:opacity-50',
  });
  const other = make('input', {
    className: `${box} h-12`,
    inputMode: 'decimal',
    autocomplete: 'off',
    placeholder: `${money(form.leastCents)} to ${money(form.mostCents)}`,
  });
  const otherPlace = make('label', { className: labelLook, hidden: true }, 'Your tip', other);
  const buttons: HTMLButtonElement[] = [];
  /** @param chosen what a tap chose; undefined for what is typed */
  const choose = (button: HTMLButtonElement, chosen: number | undefined) => {
    for (const each of buttons) each.setAttribute('aria-pressed', String(each === button));
    otherPlace.hidden = chosen !== undefined;
    amountCents = chosen ?? readCents(other.value);
    const isGood = amountCents >= form.leastCents && amountCents <= form.utmostCents;
    pay.disabled = !isGood;
    pay.textContent = isGood ? `Pay ${money(amountCents)}` : `${money(form.leastCents)} to ${money(form.mostCents)}`;
    if (chosen === undefined && document.activeElement !== other) other.focus();
  };
  const addButton = (text: string, cents: number | undefined) => {
    const button = make('button', { type: 'button', className: buttonLook }, text);
    button.addEventListener('click', () => choose(button, cents));
    buttons.push(button);
    return button;
  };
  const amounts = make(
    'div',
    { role: 'group', ariaLabel: 'Your tip', className: 'grid grid-cols-5 gap-1.5' },
    ...presetsCents.map((cents) => addButton(money(cents), cents)),
  );
  const any = addButton('Other', undefined);
  amounts.append(any);
  other.addEventListener('input', () => choose(any, undefined));
  const words = writeWords(form);
  const params = () => ({ handle, amountCents, message: words.message.value, signedBy: words.signature() });
  place.replaceChildren(closeForm(form, { pay, params }, [amounts, otherPlace, ...words.nodes]));
  const [first] = buttons;
  first?.click();
  first?.focus();
}

/** A message, and a name where whoever sends it wants to be known. */
function writeWords({ name }: TipForm) {
  const message = make('textarea', { className: `${box} py-3 leading-snug`, rows: 2, maxLength: 200 });
  const signed = make('input', { className: `${box} h-12`, maxLength: 40, autocomplete: 'given-name' });
  const signedPlace = make('label', { className: labelLook, hidden: true }, 'Your name', signed);
  const anonymous = make('input', { type: 'checkbox', checked: true, className: 'size-5 flex-none accent-plum' });
  anonymous.addEventListener('change', () => {
    signedPlace.hidden = anonymous.checked;
    if (!anonymous.checked) signed.focus();
  });
  return {
    message,
    signature: () => (anonymous.checked ? '' : signed.value),
    nodes: [
      make('label', { className: labelLook }, `Message to ${name} (optional)`, message),
      make('label', { className: 'flex min-h-11 items-center gap-3' }, anonymous, 'Send it anonymously'),
      signedPlace,
    ],
  };
}

interface Ending {
  pay: HTMLButtonElement;
  params(): object;
}

/** The form with its button, what went wrong, and what holds when it is paid. */
function closeForm(
  { isSandbox, statementDescriptor }: TipForm,
  { pay, params }: Ending,
  fields: readonly Node[],
): HTMLFormElement {
  const fault = make('p', { role: 'alert', className: 'text-13 text-rust empty:hidden' });
  const note = (text: string) => make('p', { className: 'text-13 text-balance text-quiet' }, text);
  const terms = note(pageTipRule);
  const form = make(
    'form',
    { className: 'grid gap-4 text-left' },
    ...[...fields, fault, pay],
    make(
      'div',
      { className: 'grid gap-1.5 text-center' },
      ...(isSandbox ? [note('Test payments, no real money.')] : []),
      note(describeStatement(statementDescriptor)),
      terms,
    ),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (pay.getAttribute('aria-busy') === 'true') return;
    pay.setAttribute('aria-busy', 'true');
    fault.textContent = '';
    void payOnPage('tipOnPage', { ...params(), shownTerms: terms.textContent }, () => {
      pay.setAttribute('aria-busy', 'false');
    }).then((said) => {
      if (said === undefined) return; // it stays busy until the other page has come
      pay.setAttribute('aria-busy', 'false');
      fault.textContent = said;
    });
  });
  return form;
}
