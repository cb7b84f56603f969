import type { Host, Refusal } from '../../contract.ts';
import type { Answers } from '../viewer-app.ts';
import { showFace } from './host-avatar.ts';
import type { Checkout } from './paying.ts';
import type { Typing } from './typing.ts';

/** What the link asks for before it opens, or why it does not open. Titles and texts are the server's. */
export interface Gate {
  show(refusal: Refusal): Promise<void>;
  /** Whether an answer is under way: nothing can be said twice. */
  setBusy(isBusy: boolean): void;
  /** The line broke, or too many tries: ready to show. */
  fail(text: string): void;
  hide(): void;
  isShown(): boolean;
}

/** A gate is nearly all headline: it waits this long for letters of the display face that the door does not carry. */
const faceMs = 400;

/** What is said while an answer is under way. */
export const opening = 'Opening…';

/** A part of the page that is always there, by its id. */
export const find = (id: string) => document.getElementById(id) as HTMLElement;

/**
 * @param answer takes what was said at the gate
 * @param loadTyping brings the fields and the prices, which only some gates have
 */
export function createGate(
  answer: (answers: Answers) => void,
  loadTyping: () => Promise<typeof import('./typing.ts')>,
  slug: string,
): Gate {
  const place = find('gate');
  const title = find('why');
  const text = find('how');
  const trouble = find('trouble');
  const ways = find('ways');
  let shown: Refusal | undefined;
  let clock: ReturnType<typeof setInterval> | undefined;
  const fields = openFields(loadTyping);
  const checkout = {
    slug,
    answer,
    fail(said: string) {
      trouble.textContent = said;
    },
    setBusy(isBusy: boolean) {
      // On a slow line an answer takes its time; what was said meanwhile stays.
      if (isBusy || trouble.textContent === opening) trouble.textContent = isBusy ? opening : '';
      trouble.classList.toggle('busy', isBusy);
      for (const button of ways.querySelectorAll('button')) button.disabled = isBusy;
    },
  };
  const goOn = () => {
    title.textContent = opening;
    answer({});
  };
  return {
    ...checkout,
    async show(refusal) {
      clearInterval(clock);
      const { reason, waitMs, sale, asking, agreement, triesLeft } = refusal;
      const isAnew =
        sale || agreement || asking === 'open' || waitMs || shown?.waitMs || (!triesLeft && /CODE/.test(reason));
      const isSame = !place.hidden && shown?.reason === reason && !isAnew;
      shown = refusal;
      await fields.load(waitMs ? 'CODE' : reason);
      greet(refusal);
      title.textContent = refusal.title;
      text.textContent = refusal.text;
      if (isSame) trouble.textContent = repeat(ways.querySelector('input'), refusal);
      else ways.replaceChildren(...waysOf(refusal, fields, checkout));
      if (waitMs) clock = fields.typing()?.countDown(title, waitMs, reason === 'NOT_YET' ? 'Opens' : 'Try again', goOn);
      if (isSame) return;
      await loadFace(refusal.title);
      place.hidden = false;
      title.focus();
    },
    hide() {
      clearInterval(clock);
      shown = undefined;
      place.hidden = true;
      ways.replaceChildren();
    },
    isShown: () => !place.hidden,
  };
}

/** Brings the letters of a headline, for a moment. */
async function loadFace(headline: string): Promise<void> {
  const face = document.fonts.load('1em Fraunces', headline).catch(() => undefined); // another stands in for it
  await Promise.race([face, new Promise((go) => setTimeout(go, faceMs))]);
}

/** What whoever is not of age is told. */
function leave(): void {
  const title = find('why');
  title.textContent = 'You need to be 18 or older';
  find('how').textContent = 'You can close this page.';
  find('ways').replaceChildren();
  title.focus();
}

function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  facts: Partial<HTMLElementTagNameMap[Tag]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), facts);
  element.append(...children);
  return element;
}

function nameOf(host: Host): (Node | string)[] {
  const letter = make('span', { className: 'letter', ariaHidden: 'true' });
  showFace(letter, host);
  return [letter, host.name];
}

const button = (label: string, onclick: () => void, className = 'primary') =>
  make('button', { type: 'button', className, onclick }, label);

/** Says whose album it is, above what is asked. */
function greet({ host }: Refusal): void {
  const whose = find('whose');
  whose.className = host ? 'host' : 'brand';
  whose.replaceChildren(...(host ? nameOf(host) : ['Private', make('b', {}, 'Fans')]));
  find('hello').textContent = host?.welcomeText || '';
}

/** Gates at which something is typed, agreed to or paid, and ends with a way out. */
const isTyped = /PASS|CODE|OFFER|EMAIL|APPROVAL|AGREE|GEO|PHONE|FULL/;

interface Fields {
  /** Brings what this gate needs; what does not come is tried again with the next tap. */
  load(reason: string): Promise<void>;
  /** Undefined when they have not come. */
  typing(): Typing | undefined;
}

function openFields(loadTyping: () => Promise<typeof import('./typing.ts')>): Fields {
  let typing: Typing | undefined;
  return {
    async load(reason) {
      if (isTyped.test(reason))
        typing ??= await loadTyping().then(
          ({ openTyping }) => openTyping(make),
          () => undefined,
        );
    },
    typing: () => typing,
  };
}

/** Returns what can be done about it. */
function waysOf(refusal: Refusal, fields: Fields, checkout: Checkout): Node[] {
  const { reason, waitMs } = refusal;
  const { answer } = checkout;
  const again = () => answer({});
  const tryAgain = () => [button('Try again', again)];
  const type = (what: string) => fields.typing()?.waysOf(what, checkout, refusal) ?? tryAgain();
  /** What only some want, or what the gate doesn't wait for. */
  const offer = (label: string, what: string, isAtOnce = false) => {
    const bring = async () => {
      await fields.load('CODE');
      more.replaceWith(...type(what));
      document.getElementById('typed')?.focus();
    };
    const more = button(label, bring, 'bare');
    if (isAtOnce) void bring();
    return more;
  };
  if (isTyped.test(reason) || waitMs) return type(reason);
  if (/COOKIE|PAUSED|UNAVAIL/.test(reason)) return tryAgain();
  if (/FOUND/.test(reason)) return [offer('I have an access code', 'CODE_WRONG')];
  if (reason === 'NEED_AGE') return [button('Yes', () => answer({ isAdult: true })), button('No', leave, 'bare')];
  if (reason === 'CONCURRENT') return [button('Continue here', () => answer({ takeOver: true }))];
  if (reason === 'CLOSED') return [button('Open again', again)];
  return reason === 'REVOKED' ? [offer('More', reason, true)] : [];
}

/** The same gate again, so what was typed was wrong: it goes on in the same field, and only a new reason is read out from its title. @returns what the server's words do not tell */
function repeat(field: HTMLInputElement | null, { triesLeft }: Refusal): string {
  field?.setAttribute('aria-invalid', 'true');
  field?.focus();
  return !field || triesLeft !== undefined ? '' : "That code didn't work. Please check it.";
}
