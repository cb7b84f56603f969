import type { Refusal } from '../../contract.ts';
import type { Checkout, Make } from './paying.ts';
import { typing } from './typed-field.ts';

const emailFacts = { type: 'email', maxLength: 254, autocomplete: 'email' } as const;
const sendCode = { submit: 'Send code' };

/** A button that begins something else in place of what stands there. */
function turnTo(make: Make, label: string, list: () => Node[]): HTMLElement {
  const button = make('button', { type: 'button', className: 'bare' }, label);
  button.onclick = () => {
    button.parentElement?.replaceChildren(...list());
    document.getElementById('typed')?.focus();
  };
  return button;
}

const small = (make: Make, text: string): HTMLElement => {
  const note = make('p', { className: 'quiet small' }, text);
  note.style.maxWidth = '20rem';
  return note;
};

/** What can be done while a link has not begun: an address is left, or taken back. */
export function listReminderWays(make: Make, { reminder }: Refusal, answer: Checkout['answer']): Node[] {
  if (reminder === undefined)
    return [
      turnTo(make, 'Remind me by email', () => [
        ...typing(make, 'Email', emailFacts, (email) => answer({ email }), sendCode),
        small(make, "We'll check with a code that it's yours, then email you once: when this opens."),
      ]),
    ];
  const forget = make('button', { type: 'button', className: 'bare' }, "Don't remind me");
  forget.onclick = () => answer({ forgetsReminder: true });
  return [small(make, `We'll email ${reminder} once, when this opens.`), forget];
}

/** Returns where a browser can come back to a link that does not know it: by a code that was saved, or by one that is mailed. */
export function listReturnWays(make: Make, reason: string, answer: Checkout['answer']): Node[] {
  const facts = { maxLength: 20, autocapitalize: 'characters' };
  const code = typing(make, 'Access code', facts, (resumeCode) => answer({ resumeCode }));
  const label = reason === 'CODE_SENT' ? 'Use another email' : 'Get a code by email';
  return [...code, turnTo(make, label, () => typeReturnEmail(make, answer))];
}

const typeReturnEmail = (make: Make, answer: Checkout['answer']): Node[] => [
  ...typing(make, 'Email', emailFacts, (returnEmail) => answer({ returnEmail }), sendCode),
  small(make, 'If you confirmed this address here, or paid with it, the code brings you back in this browser.'),
];
