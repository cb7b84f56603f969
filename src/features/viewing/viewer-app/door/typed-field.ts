import type { Make } from './paying.ts';

/** A field with its label and its button. @param words what that says, where it is not "Open" */
export function typing(
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
export const wide = { width: '100%', maxWidth: '20rem' };

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
    eye.setAttribute('aria-label', isShown ? 'Hide password' : 'Show password');
    eye.setAttribute('aria-pressed', String(isShown));
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
