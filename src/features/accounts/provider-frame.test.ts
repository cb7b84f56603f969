import { expect, test } from 'vitest';
import { isFrom, showsFrame, stripeFrame } from './provider-frame.ts';

test('pages that show the frame are told from all others, as the router of the browser reads them', () => {
  for (const [pathname, search] of [
    ['/pricing', ''],
    ['/Pricing/', '?tab=credits'],
    ['/subscription', ''],
    ['/account/billing', ''],
    ['/auth', '?action=signup'],
    ['/auth/', 'ref=x&action=signup'],
  ] as const)
    expect([pathname, search, showsFrame(pathname, search)]).toEqual([pathname, search, true]);
  for (const [pathname, search] of [
    ['/', ''],
    ['/auth', ''],
    ['/auth', '?action=forgot'],
    ['/signup', '?action=signup'],
    ['/pricing/more', ''],
    ['/albums', '?action=signup'],
    ['/account/payouts', ''],
  ] as const)
    expect([pathname, search, showsFrame(pathname, search)]).toEqual([pathname, search, false]);
});

test('an address is from a host, or from one below it, and from no other that looks like it', () => {
  const { scripts } = stripeFrame;
  for (const address of [
    'https://js.stripe.com/endive/stripe.js',
    'https://a.b.js.stripe.com/x',
    'https://JS.stripe.com/',
  ])
    expect([address, isFrom(scripts, address)]).toEqual([address, true]);
  for (const address of [
    'http://js.stripe.com/endive/stripe.js',
    'https://js.stripe.com:8443/',
    'https://js.stripe.com.example/',
    'https://example/js.stripe.com',
    'https://examplejs.stripe.com/',
    'https://api.stripe.com/',
    'https://me@js.stripe.com/',
    'blob:https://js.stripe.com/1',
    'data:text/javascript,0',
    '/stripe.js',
  ])
    expect([address, isFrom(scripts, address)]).toEqual([address, false]);
});
