import { createHash } from 'node:crypto';
import { escapeHtml } from '#kit/text.ts';

/** The sandbox's own look: nobody may take it for the product, nor for a real bank. */
const style = `:root{color-scheme:light dark;--ink:light-dark(#1c1a22,#f3eff5);--quiet:light-dark(#5c5766,#b3abbd);--paper:light-dark(#f6f4f8,#131017);--raised:light-dark(#fff,#1d1923);--line:light-dark(#d9d4df,#3a3342);--edge:light-dark(#8b8396,#857b92);--go:light-dark(#7b2b57,#e79bc0);--on-go:light-dark(#fff,#2a0d1d);--warn:light-dark(#fff3d6,#3a2c08);--warn-ink:light-dark(#5e4300,#ffdf94);--bad:light-dark(#a3201c,#ff9d94)}
*{box-sizing:border-box;margin:0}body{font:16px/1.5 system-ui,sans-serif;background:var(--paper);color:var(--ink);min-height:100vh}
.notice{background:var(--warn);color:var(--warn-ink);padding:.625rem 1rem;text-align:center;font-weight:600;font-size:.875rem}
main{max-width:26rem;margin:0 auto;padding:1.75rem 1.25rem 3rem;display:grid;gap:1.25rem}
h1{font-size:2.25rem;line-height:1.1;letter-spacing:-.02em}.what{color:var(--quiet)}
form,.card{display:grid;gap:1rem;background:var(--raised);border:1px solid var(--line);border-radius:14px;padding:1.25rem}
label{display:grid;gap:.375rem;font-size:.875rem;font-weight:600}
input{font:inherit;font-weight:400;min-height:3rem;padding:0 .875rem;border:1px solid var(--edge);border-radius:10px;background:var(--paper);color:inherit;width:100%}
button{font:600 1rem/1 system-ui,sans-serif;min-height:3.25rem;border-radius:10px;border:1px solid var(--go);background:var(--go);color:var(--on-go);cursor:pointer;width:100%}
button.quiet{background:transparent;color:var(--go)}:focus-visible{outline:2px solid var(--ink);outline-offset:3px}
.bad{color:var(--bad);font-weight:600}ul{list-style:none;padding:0;display:grid;gap:.25rem;font-size:.875rem;color:var(--quiet)}code{font:inherit;font-variant-numeric:tabular-nums;color:var(--ink)}a{color:var(--go);display:inline-block;min-height:2.75rem;padding:.625rem 0}.back{text-align:center}`;

const styleHash = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

/** Only its own style and forms; our own pages may frame it. */
export const sandboxPolicy = `default-src 'none'; img-src data:; style-src ${styleHash}; form-action 'self'; frame-ancestors 'self'; base-uri 'none'; require-trusted-types-for 'script'`;

export const writePage = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><link rel="icon" href="data:,"><style>${style}</style><p class="notice" role="note">Test payments, no real money</p><main>${body}</main></html>`;

/** Tells the page around the frame that it is done; without a script, or a frame, the link leads on. */
const doneScript =
  "parent.postMessage({kind:'checkout.complete',url:document.getElementById('on').href},location.origin)";
const scriptHash = `'sha256-${createHash('sha256').update(doneScript).digest('base64')}'`;
export const donePolicy = `${sandboxPolicy}; script-src ${scriptHash}`;

export const writeDonePage = (url: string): string =>
  writePage(
    'Done',
    `<h1>Done</h1><p class="back"><a id="on" href="${escapeHtml(url)}" target="_top">Continue</a></p><script>${doneScript}</script>`,
  );

export interface PlanForm {
  product: string;
  /** A month, as people read it. */
  amount: string;
  trialDays: number | null;
  asksForCard: boolean;
  email: string;
  trouble: string | undefined;
}

const describePlan = ({ trialDays, amount, asksForCard }: PlanForm) => {
  if (trialDays === null)
    return { title: `${amount} a month`, text: 'The first month is paid now.', button: `Pay ${amount}` };
  const end = asksForCard ? 'Nothing to pay today.' : 'Nothing to pay today. If you add no card, your trial just ends.';
  const title = `${trialDays} ${trialDays === 1 ? 'day' : 'days'} free`;
  return { title, text: `Then ${amount}/month. ${end}`, button: asksForCard ? 'Save card' : 'Start Free Trial' };
};

const cardField = `<label>Card number<input name="card" required inputmode="numeric" autocomplete="off" maxlength="24" value="4242 4242 4242 4242"></label>`;
/** The provider's own wallet: who pays with it tells no card. */
const linkButton = '<button class="quiet" name="method" value="link">Use Link instead of a card</button>';
const testCards = [
  ['4242 4242 4242 4242', 'pays'],
  ['4000 0000 0000 3155', 'asks your bank first (3-D Secure)'],
  ['4000 0000 0000 0341', 'can be saved, but is declined for every payment'],
  ['4000 0000 0000 0259', 'pays, and the payment is disputed'],
  ['4000 0000 0000 5423', 'pays, and a minute later its bank reports possible fraud'],
  ['4000 0000 0000 0002', 'is declined'],
  ['4000 0000 0000 9995', 'has insufficient funds'],
] as const;
const cardList = `<ul aria-label="Test cards">${testCards.map(([card, words]) => `<li><code>${card}</code> ${words}</li>`).join('')}</ul>`;
const troubleOf = (trouble: string | undefined) =>
  trouble === undefined ? '' : `<p class="bad" role="alert">${escapeHtml(trouble)}</p>`;

/** A plan is taken in a frame of ours. */
export function writePlanPage(form: PlanForm): string {
  const { title, text, button } = describePlan(form);
  const { product, email, asksForCard, trouble } = form;
  return writePage(
    product,
    `<div><p class="what">${escapeHtml(product)}</p><h1>${escapeHtml(title)}</h1><p class="what">${escapeHtml(text)}</p></div>
${troubleOf(trouble)}
<form method="post">${email === '' ? '' : `<p class="what">${escapeHtml(email)}</p>`}${asksForCard ? cardField : ''}<button>${escapeHtml(button)}</button>${asksForCard ? linkButton : ''}</form>
${asksForCard ? cardList : ''}`,
  );
}

export const writeCardPage = ({ backUrl, trouble }: { backUrl: string; trouble: string | undefined }): string =>
  writePage(
    'Your card',
    `<div><h1>Your card</h1><p class="what">What you pay every month is taken from this card from now on.</p></div>
${troubleOf(trouble)}
<form method="post">${cardField}<button>Save card</button></form>
${cardList}
<p class="back"><a href="${escapeHtml(backUrl)}">Back to PrivateFans</a></p>`,
  );

/** Returns where a bank would ask the owner of a card. @param amount nothing where only the card is kept */
export const writeBankPage = ({ amount, last4 }: { amount: string | undefined; last4: string }): string =>
  writePage(
    'Your bank',
    `<div><p class="what">3-D Secure · card ending in ${escapeHtml(last4)}</p><h1>Is this you?</h1><p class="what">Here your bank would ask you to confirm ${amount === undefined ? 'this card' : `a payment of ${escapeHtml(amount)}`}. In the sandbox one tap is enough.</p></div>
<form method="post"><button name="answer" value="complete">Complete authentication</button><button class="quiet" name="answer" value="fail">Fail authentication</button></form>`,
  );

export interface PayForm {
  product: string;
  /** As people read it. */
  amount: string;
  /** Paid again and again, each time for so many months; undefined for what is paid once. */
  months: number | undefined;
  /** In a frame there is no way back: the page around it has one. */
  cancelUrl: string | undefined;
  email: string;
  /** Why it was not taken. */
  trouble: string | undefined;
}

const termOf = (months: number) => (months === 1 ? ' a month' : ` for ${months} months`);

export const writePayPage = ({ product, amount, months, cancelUrl, email, trouble }: PayForm): string =>
  writePage(
    `Pay ${amount}`,
    `<div><p class="what">${escapeHtml(product)}</p><h1>${escapeHtml(amount)}${months === undefined ? '' : termOf(months)}</h1>${months === undefined ? '' : `<p class="what">${months === 1 ? 'The first month is' : `The first ${months} months are`} paid now. It renews every ${months === 1 ? 'month' : `${months} months`} until you cancel.</p>`}</div>
${trouble === undefined ? '' : `<p class="bad" role="alert">${escapeHtml(trouble)}</p>`}
<form method="post"><label>Email<input name="email" type="email" required autocomplete="email" maxlength="254" value="${escapeHtml(email)}"></label>
<label>Card number<input name="card" required inputmode="numeric" autocomplete="off" maxlength="24" value="4242 4242 4242 4242"></label>
<button>Pay ${escapeHtml(amount)}</button>${linkButton}</form>
${cardList}
${cancelUrl === undefined ? '' : `<p class="back"><a href="${escapeHtml(cancelUrl)}">Cancel and go back</a></p>`}`,
  );

export const writeOverPage = (): string =>
  writePage(
    'Not open',
    '<h1>This payment is over</h1><p class="what">It was paid, ended or never begun. Close this page and go back.</p>',
  );

export const writeOnboarding = (): string =>
  writePage(
    'Set up payouts',
    `<div><h1>Set up payouts</h1><p class="what">Here a payment provider would ask who you are and for your bank account. In the sandbox one tap is enough.</p></div>
<form method="post"><button name="answer" value="complete">Complete everything</button><button class="quiet" name="answer" value="no_bank">Everything but a bank account</button><button class="quiet" name="answer" value="checked">Everything, and Stripe checks it</button><button class="quiet" name="answer" value="pending">Not now</button><button class="quiet" name="answer" value="rejected">Be rejected</button></form>`,
  );

export const writeAccountPage = (): string =>
  writePage(
    'Your payout account',
    '<div><h1>Your payout account</h1><p class="what">Everything is in order. Here a payment provider would show your bank account and your payouts.</p></div><p class="back"><a href="/earnings">Back to PrivateFans</a></p>',
  );
