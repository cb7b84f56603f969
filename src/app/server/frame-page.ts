import { framePolicy, stripeFrame } from '#features/accounts/provider-frame.ts';
import { permissions } from './headers.ts';
import type { Sources } from './html-page.ts';

/** What the policy of a page lets through which shows Stripe's frame. */
export const frameSources: Sources = { ...stripeFrame, trustedTypes: [framePolicy] };

const paying = ['self', ...stripeFrame.frames.map((source) => `"${source}"`)];

/**
 * What such a page says instead of the app's headers: its frames may ask the browser for a payment, and a wallet's window, which
 * one of them opens, keeps the one that it answers. It is never isolated: Stripe's script does not support that.
 */
export const frameHeaders: Readonly<Record<string, string>> = {
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'permissions-policy': permissions(`payment=(${paying.join(' ')})`),
};
