import { readUrl } from '#kit/read-url.ts';

/** Addresses of Stripe's that a page may use which shows its frame, and nothing of Stripe's beside them. */
export const stripeFrame = {
  scripts: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://checkout.stripe.com'],
  connect: ['https://api.stripe.com', 'https://checkout.stripe.com'],
  frames: [
    'https://js.stripe.com',
    'https://*.js.stripe.com',
    'https://hooks.stripe.com',
    'https://checkout.stripe.com',
  ],
  images: ['https://*.stripe.com'],
} as const;

/** The policy by which a page lets the provider's script in; pages without the frame cannot make it. */
export const framePolicy = 'payments';

/** A name of this element in the head says that the pages of an installation which show the frame have headers of their own. */
export const frameMark = 'payment-frame';

const withFrame = new Set(['/pricing', '/subscription', '/account/billing']);

/** Looks at each letter once: a pattern would look at every slash from every slash on. */
function withoutEndSlashes(pathname: string): string {
  let end = pathname.length;
  while (pathname[end - 1] === '/') end--;
  return pathname.slice(0, end);
}

/**
 * Returns whether a page can show the provider's frame: where a plan or credits are bought, and where a trial begins.
 * @param search the question behind the address, as `?action=signup`
 */
export function showsFrame(pathname: string, search: string): boolean {
  // As the browser's own router reads them: in either case, with or without a slash at the end.
  const address = withoutEndSlashes(pathname).toLowerCase();
  return withFrame.has(address) || (address === '/auth' && new URLSearchParams(search).get('action') === 'signup');
}

/** Whether an address is one of these sources, each a host or all that stand below one. */
export function isFrom(sources: readonly string[], address: string): boolean {
  const url = readUrl(address);
  if (url === undefined) return false;
  const { protocol, host, username, password } = url;
  // Not its `origin`: a blob has the one of whoever made it.
  const origin = `${protocol}//${host}`;
  if (username !== '' || password !== '') return false;
  return sources.some((source) => {
    const [scheme = '', below] = source.split('*');
    return below === undefined ? origin === source : origin.startsWith(scheme) && origin.endsWith(below);
  });
}
