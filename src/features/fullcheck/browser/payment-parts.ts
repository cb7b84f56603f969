import { type BrowserPart, keepCookie } from './browser-parts.ts';

/** @throws a sentence where it takes real money */
function describeMoney(isSandbox: boolean): string {
  if (!isSandbox) throw new Error('Real money: a test card is declined.');
  return 'Test money: the built-in provider takes 4242 4242 4242 4242.';
}

function describeWallets(): string {
  if ('ApplePaySession' in window) return 'Apple Pay can be offered; cards can be typed in.';
  return 'PaymentRequest' in window ? 'A wallet can be offered; cards can be typed in.' : 'Cards can be typed in.';
}

function writeAmount(): string {
  const written = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(3.99);
  if (written !== '$3.99') throw new Error(`It writes $3.99 as ${written}.`);
  return 'It writes amounts as they are.';
}

/** What a browser needs to pay. */
export const paymentParts = (isSandbox: boolean): readonly BrowserPart[] => [
  { title: 'Money', look: () => describeMoney(isSandbox) },
  { title: 'Coming back from the payment page', look: keepCookie },
  { title: 'Wallets', look: describeWallets },
  { title: 'Amounts', look: writeAmount },
];
