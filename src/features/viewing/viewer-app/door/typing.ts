import type { Refusal } from '../../contract.ts';
import type { Answers } from '../viewer-app.ts';
import { askToAgree } from './agreeing.ts';
import { listPrices, type Make, type Till } from './paying.ts';
import { listRequestWays } from './request-access.ts';
import { waitText } from './wait-text.ts';

/** What only some gates need: the loader has no room for it. */
export interface Typing {
  /**
   * Returns what is typed or paid at a gate; what was typed leaves the field with the answer.
   * @param reason of the gate: an access that has ended, a password, an address to prove, the code that was sent to it, a text to agree to, a price, a
   * country, or else the code to come back with
   */
  waysOf(reason: string, till: Till, refusal: Refusal): Node[];
  /** Says in the title how long it takes. @returns the clock, to be cleared where it is no longer wanted */
  countDown(title: Element, waitMs: number, what: string, onOver: () => void): ReturnType<typeof setInterval>;
}

/** @param make the loader's: no module may be shared with it */
export const openTyping = (make: Make): Typing => ({
  waysOf(reason, till, refusal) {
    const { answer } = till;
    if (reason in leadsTo) return listWays(make, leadsTo[reason as keyof typeof leadsTo]);
    if (reason === 'NEED_PHONE') return listAddress(make);
    if (reason === 'NEED_AGREEMENT') return askToAgree(make, refusal.agreement, till);
    if (reason === 'EMAIL_NOT_ALLOWED') return [anotherEmail(make, answer)];
    if (reason === 'NEED_OFFER') return listOffers(make, refusal, till);
    if (reason.includes('APPROVAL')) return listRequestWays(make, refusal, till);
    return /EMAIL/.test(reason) ? prove(make, reason, answer) : typeSecret(make, reason === 'NEED_PASSWORD', answer);
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

const typeSecret = (make: Make, isPassword: boolean, answer: Till['answer']): Node[] =>
  isPassword
    ? typing(make, 'Password', { type: 'password', maxLength: 200, autocapitalize: 'none' }, (password) =>
        answer({ password }),
      )
    : typing(make, 'Access code', { maxLength: 20, autocapitalize: 'characters' }, (resumeCode) =>
        answer({ resumeCode }),
      );

/** What can be paid, and the question that can be asked instead or first. */
function listOffers(make: Make, refusal: Refusal, till: Till): Node[] {
  const { sale, asking } = refusal;
  const question = asking ? listRequestWays(make, refusal, till) : [];
  if (!sale && asking) return question;
  const or = make(
    'h2',
    { className: 'quiet' },
    asking === 'pending' ? 'You have asked for access' : 'Or ask for access',
  );
  return [...listPrices(make, sale, till), ...(question.length > 0 ? [or, ...question] : [])];
}

const myPurchases = ['/my', 'My purchases'] as const;
const report = ['/report', 'Report a problem'] as const;
/** Where somebody can go from a gate that lets nobody in. */
const leadsTo = { REVOKED: [myPurchases, report], GEO_BLOCKED: [report] } as const;

/** What is left to do where nothing opens. */
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

/** @param words what its button says, where that is not "Open" */
function typing(
  make: Make,
  label: string,
  facts: Partial<HTMLInputElement>,
  send: (typed: string) => void,
  words = { submit: 'Open' },
): Node[] {
  const common = { id: 'typed', className: 'field', required: true, autocomplete: 'off', spellcheck: false } as const;
  const field = make('input', { ...common, ...facts });
  if (facts.type === undefined) Object.assign(field.style, codeLook);
  field.setAttribute('aria-describedby', 'how');
  const submit = make('button', { type: 'submit', className: 'primary' }, words.submit);
  Object.assign(submit.style, wide);
  submit.onclick = (event) => {
    event.preventDefault();
    if (!field.reportValidity()) return;
    const typed = field.value;
    field.value = '';
    send(typed);
  };
  const place = facts.type === 'password' ? withEye(make, field) : field;
  return [make('label', { className: 'quiet small', htmlFor: 'typed' }, label), place, submit];
}

/** The letters of a code, far apart and each as wide as the others. */
const codeLook = { font: '600 1.3125rem/1.4 ui-monospace, monospace', letterSpacing: '0.08em' };
const wide = { width: '100%', maxWidth: '20rem' };

/** A password can be looked at while it is typed. */
function withEye(make: Make, field: HTMLInputElement): HTMLElement {
  const slash = draw('path', { d: 'M3 3l18 18' });
  const eye = make('button', { type: 'button' });
  const picture = draw('svg', { viewBox: '0 0 24 24', width: '20', fill: 'none', stroke: 'currentColor' });
  picture.append(draw('path', { d: 'M2 12q10-15 20 0q-10 15-20 0z' }), draw('circle', { cx: '12', cy: '12', r: '3' }));
  picture.setAttribute('stroke-width', '2');
  eye.append(picture);
  const show = (isShown: boolean) => {
    field.type = isShown ? 'text' : 'password';
    eye.ariaLabel = isShown ? 'Hide password' : 'Show password';
    eye.ariaPressed = String(isShown);
    if (isShown) picture.append(slash);
    else slash.remove();
  };
  eye.onclick = () => show(field.type === 'password');
  show(false);
  Object.assign(eye.style, { position: 'absolute', right: '0', top: '0', width: '3.25rem', height: '100%' });
  field.style.padding = '0 3.25rem';
  const place = make('span', {}, field, eye);
  Object.assign(place.style, { position: 'relative', ...wide });
  return place;
}

function draw(tag: string, facts: Record<string, string>): SVGElement {
  const shape = document.createElementNS('http://www.w3.org/2000/svg', tag) as SVGElement;
  for (const [name, value] of Object.entries(facts)) shape.setAttribute(name, value);
  return shape;
}
