import type { Refusal } from '../../contract.ts';
import type { Answers } from '../viewer-app.ts';
import { askToAgree } from './agreeing.ts';
import { listReminderWays, listReturnWays } from './mailed-ways.ts';
import { type Checkout, listPrices, type Make } from './paying.ts';
import { listRequestWays } from './request-access.ts';
import { typing, wide } from './typed-field.ts';
import { waitText } from './wait-text.ts';

/** What only some gates need: the loader has no room for it. */
export interface Typing {
  /**
   * Returns what is typed or paid at a gate; what was typed leaves the field with the answer.
   * @param reason of the gate: an access that has ended, a password, an address to prove, the code that was sent to it, a text to agree to, a price, a
   * country, the time that it begins at, or else the code to come back with
   */
  waysOf(reason: string, checkout: Checkout, refusal: Refusal): Node[];
  /** Says in the title how long it takes. @returns the clock, to be cleared where it is no longer wanted */
  countDown(title: Element, waitMs: number, what: string, onOver: () => void): ReturnType<typeof setInterval>;
}

/** @param make the loader's: no module may be shared with it */
export const openTyping = (make: Make): Typing => ({
  waysOf(reason, checkout, refusal) {
    if (refusal.waitMs && reason !== 'NOT_YET') return [];
    const [, list] = waysBy.find(([of]) => of.test(reason)) ?? [];
    return list?.(make, checkout, refusal, reason) ?? listReturnWays(make, reason, checkout.answer);
  },
  countDown(title, waitMs, what, onOver) {
    const endsAt = performance.now() + waitMs;
    const tick = () => {
      const left = endsAt - performance.now();
      if (left > 0) {
        title.textContent = `${what} in ${waitText(left)}`;
        return;
      }
      clearInterval(clock);
      onOver();
    };
    const clock = setInterval(tick, 1000);
    tick();
    return clock;
  },
});

/** What each gate asks for; the first that fits a reason. */
const waysBy: readonly [
  of: RegExp,
  list: (make: Make, checkout: Checkout, refusal: Refusal, reason: string) => Node[],
][] = [
  [/^NOT_YET/, (make, { answer }, refusal) => listReminderWays(make, refusal, answer)],
  [/^REVOKED/, (make) => listWays(make, [myPurchases, report])],
  [/^GEO_/, (make) => listWays(make, [report])],
  [/PHONE/, (make) => listAddress(make)],
  [/AGREE/, (make, checkout, { agreement }) => askToAgree(make, agreement, checkout)],
  [/^EMAIL_NOT/, (make, { answer }) => [anotherEmail(make, answer)]],
  [/OFFER/, (make, checkout, refusal) => listOffers(make, refusal, checkout)],
  [/APPROVAL/, (make, checkout, refusal) => listRequestWays(make, refusal, checkout)],
  [/EMAIL/, (make, { answer }, _, reason) => prove(make, reason, answer)],
  [/PASS/, (make, { answer }) => typePassword(make, answer)],
];

const typePassword = (make: Make, answer: Checkout['answer']): Node[] =>
  typing(make, 'Password', { type: 'password', maxLength: 200, autocapitalize: 'none' }, (password) =>
    answer({ password }),
  );

/** Returns what can be paid, and the question that can be asked instead or first. */
function listOffers(make: Make, refusal: Refusal, checkout: Checkout): Node[] {
  const { sale, asking } = refusal;
  const question = asking ? listRequestWays(make, refusal, checkout) : [];
  if (!sale && asking) return question;
  const or = make(
    'h2',
    { className: 'quiet' },
    asking === 'pending' ? 'You have asked for access' : 'Or ask for access',
  );
  return [...listPrices(make, sale, checkout), ...(question.length > 0 ? [or, ...question] : [])];
}

const myPurchases = ['/my', 'My purchases'] as const;
const report = ['/report', 'Report a problem'] as const;

/** Returns what is left to do where nothing opens. */
const listWays = (make: Make, ways: readonly (readonly [href: string, text: string])[]): Node[] =>
  ways.map(([href, text]) => {
    const way = make('a', { className: 'quiet small', href }, text);
    Object.assign(way.style, { display: 'grid', alignContent: 'center', minHeight: '2.75rem' });
    return way;
  });

/** The address of this page, to be taken to another device. */
function listAddress(make: Make): Node[] {
  const address = location.origin + location.pathname;
  const field = make('input', { id: 'typed', className: 'field', readOnly: true, value: address });
  field.onfocus = () => field.select();
  const copy = make('button', { type: 'button', className: 'primary' }, 'Copy the address');
  Object.assign(copy.style, wide);
  copy.onclick = () =>
    navigator.clipboard.writeText(address).then(
      () => {
        copy.textContent = 'Copied';
      },
      () => field.focus(), // it is selected, to be copied by hand
    );
  return [make('label', { className: 'quiet small', htmlFor: 'typed' }, 'Address'), field, copy];
}

function prove(make: Make, reason: string, answer: (answers: Answers) => void): Node[] {
  if (reason === 'NEED_EMAIL')
    return typing(
      make,
      'Email',
      { type: 'email', maxLength: 254, autocomplete: 'email' },
      (email) => answer({ email }),
      {
        submit: 'Send code',
      },
    );
  const facts = { maxLength: 20, inputMode: 'numeric', autocomplete: 'one-time-code' } as const;
  const code = typing(make, '6-digit code', facts, (emailCode) => answer({ emailCode }), {
    submit: 'Continue',
  });
  return [...code, anotherEmail(make, answer)];
}

/** Begins again with another address. */
function anotherEmail(make: Make, answer: (answers: Answers) => void): HTMLElement {
  const other = make('button', { type: 'button', className: 'bare' }, 'Use another email');
  other.onclick = () => {
    other.parentElement?.replaceChildren(...prove(make, 'NEED_EMAIL', answer));
    document.getElementById('typed')?.focus();
  };
  return other;
}
