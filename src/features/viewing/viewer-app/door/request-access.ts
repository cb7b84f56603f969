import type { Refusal } from '../../contract.ts';
import type { Checkout, Make } from './paying.ts';

const wide = { width: '100%', maxWidth: '22rem' };
const prose = { ...wide, padding: '0.75rem 1rem', lineHeight: '1.4', textAlign: 'left', resize: 'vertical' };

/** What can be done where the creator decides: ask, ask again, wait, or take the question back; nothing for who may not ask now. */
export function listRequestWays(make: Make, { reason, asking }: Refusal, checkout: Checkout): Node[] {
  if (asking === 'pending') return listWaiting(make, checkout);
  return asking === 'open' ? listForm(make, reason === 'APPROVAL_DENIED' ? 'Ask again' : 'Send request', checkout) : [];
}

/** What was typed last: a request may have to wait until an address is proven. */
let typedBefore = { name: '', message: '', email: '' };

/** The question: who asks, what they say, and where the answer is mailed as well. */
function listForm(make: Make, submit: string, checkout: Checkout): Node[] {
  const name = make('input', { id: 'asker', className: 'field', required: true, maxLength: 60, autocomplete: 'name' });
  const message = make('textarea', { id: 'message', className: 'field', maxLength: 500, rows: 3 });
  const email = make('input', {
    id: 'email',
    className: 'field',
    type: 'email',
    maxLength: 254,
    autocomplete: 'email',
  });
  for (const field of [name, email]) Object.assign(field.style, wide);
  Object.assign(message.style, prose);
  name.value = typedBefore.name;
  message.value = typedBefore.message;
  email.value = typedBefore.email;
  const send = make('button', { type: 'submit', className: 'primary' }, submit);
  Object.assign(send.style, wide);
  send.onclick = (event) => {
    event.preventDefault();
    // A name of blanks looks typed to the browser, and is none.
    name.setCustomValidity(name.value.trim() === '' ? 'Enter your name' : '');
    if (![name, message, email].every((field) => field.reportValidity())) return;
    const typed = email.value.trim();
    typedBefore = { name: name.value, message: message.value, email: typed };
    checkout.answer({
      accessRequest: { name: name.value, message: message.value, ...(typed !== '' && { email: typed }) },
    });
  };
  name.oninput = () => name.setCustomValidity('');
  const label = (htmlFor: string, text: string) => make('label', { className: 'quiet small', htmlFor }, text);
  const note = make(
    'p',
    { className: 'quiet small' },
    'The creator sees your name, your message and your type of device.',
  );
  note.style.maxWidth = '22rem';
  return [
    label('asker', 'Your name'),
    name,
    label('message', 'Message (optional)'),
    message,
    label('email', 'Email for the answer (optional)'),
    email,
    send,
    note,
  ];
}

/** How long after a refused line it is asked again. */
const [againMs, longestMs] = [1000, 60_000];
/** A look that failed is tried once more. */
const lookAgainMs = 15_000;
/** How often the line was refused in a row, whatever is built again meanwhile. */
let refusals = 0;

/** Waits for the answer: a line tells at once that there is one, and whoever comes back to the page asks again. */
function listWaiting(make: Make, checkout: Checkout): Node[] {
  const withdraw = make('button', { type: 'button', className: 'bare' }, 'Withdraw request');
  withdraw.onclick = () => checkout.answer({ withdrawsRequest: true });
  const comeBack = 'You can close this page and come back in this browser.';
  const wait = make('p', { className: 'quiet small', role: 'status' }, comeBack);
  awaitAnswer(wait, checkout);
  return [wait, withdraw];
}

/**
 * Asks to be let in as soon as the creator has answered. A page that is out of sight waits until somebody looks: the time of a
 * timed link begins with the first look. @param shown ends the waiting when it has left the page
 */
function awaitAnswer(shown: HTMLElement, checkout: Checkout): void {
  let line: EventSource | undefined;
  /** The answer came while nobody looked. */
  let isDue = false;
  const over = new AbortController();
  const isOver = () => {
    if (shown.isConnected) return false;
    line?.close();
    over.abort();
    return true;
  };
  const look = () => {
    if (isOver()) return;
    isDue = document.hidden;
    if (!isDue) checkout.answer({});
  };
  const listen = () => {
    if (isOver()) return;
    line?.close();
    line = new EventSource(`/api/live/waiting?slug=${encodeURIComponent(checkout.slug)}`);
    line.onmessage = () => {
      look();
      setTimeout(look, lookAgainMs);
    };
    line.onopen = () => {
      refusals = 0;
    };
    line.onerror = () => {
      if (isOver() || line?.readyState !== EventSource.CLOSED) return; // it reconnects by itself
      // Refused: the answer may have come before the line stood, or the server is busy. Both are asked after a pause.
      const pauseMs = Math.min(longestMs, againMs * 2 ** refusals++) * (0.75 + Math.random() / 2);
      setTimeout(() => {
        look();
        listen();
      }, pauseMs);
    };
  };
  // Phones put lines to sleep, and what came meanwhile may be missed.
  const comeBack = () => {
    if (!document.hidden && (isDue || line?.readyState !== EventSource.OPEN)) look();
  };
  addEventListener('visibilitychange', comeBack, { signal: over.signal });
  addEventListener('online', look, { signal: over.signal });
  queueMicrotask(listen); // by then it stands on the page
}
