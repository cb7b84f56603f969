import type { Refusal } from '../../contract.ts';
import type { Checkout, Make } from './paying.ts';

const textLook = {
  width: '100%',
  maxHeight: '34vh',
  overflow: 'auto',
  padding: '1rem',
  border: '1px solid var(--line)',
  borderRadius: '10px',
  background: 'var(--raised)',
  textAlign: 'left',
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
};
const boxLook = { display: 'flex', alignItems: 'center', gap: '0.75rem', minHeight: '2.75rem', textAlign: 'left' };
const tickLook = { width: '1.375rem', height: '1.375rem', flex: 'none', accentColor: 'var(--plum)' };
const wide = { width: '100%', maxWidth: '20rem' };

/** The creator's text, a box to tick, a name where one is asked for, and the button that says yes. */
export function askToAgree(make: Make, agreement: Refusal['agreement'], { answer }: Checkout): Node[] {
  if (agreement === undefined) {
    // It changed while somebody was looking: the door brings the text.
    return [make('button', { type: 'button', className: 'primary', onclick: () => answer({}) }, 'Read it')];
  }
  const { id: agreementId, title, body, asksName } = agreement;
  const text = make('div', { tabIndex: 0, role: 'region', ariaLabel: title }, make('strong', {}, title), `\n\n${body}`);
  Object.assign(text.style, textLook);
  const tick = make('input', { type: 'checkbox', required: true });
  Object.assign(tick.style, tickLook);
  const box = make('label', {}, tick, make('span', {}, 'I have read this and agree'));
  Object.assign(box.style, boxLook);
  const facts = { id: 'typed', className: 'field', required: true, maxLength: 100, autocomplete: 'name' } as const;
  const name = make('input', { ...facts, spellcheck: false });
  const submit = make('button', { type: 'submit', className: 'primary' }, 'Agree and open');
  Object.assign(submit.style, wide);
  submit.onclick = (event) => {
    event.preventDefault();
    if (!tick.reportValidity() || (asksName && !name.reportValidity())) return;
    answer({ agreed: { agreementId, name: asksName ? name.value : '' } });
  };
  const named = [make('label', { className: 'quiet small', htmlFor: 'typed' }, 'Your full name'), name];
  return [text, box, ...(asksName ? named : []), submit];
}
