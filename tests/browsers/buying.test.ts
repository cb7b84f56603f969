import { type Caller, call } from '../journeys/support/calls.ts';
import { openShop } from '../journeys/support/selling.ts';
import { makeLink } from '../journeys/support/steps.ts';
import { test } from './support/story.ts';
import type { Tab } from './support/tab.ts';
import { button, css, field, heading, link, text } from './support/targets.ts';
import { enter, untilPainted } from './support/viewing.ts';

test.setTimeout(240_000);

/** What the built-in provider's page asks. */
async function payAt(viewer: Tab, email: string, words: string): Promise<void> {
  await viewer.type(field('Email'), email);
  await viewer.type(field('Card number'), '4242 4242 4242 4242');
  await viewer.tap(button(words));
}

/** A link of a shop to its album, with one condition. */
const sellFor = (creator: Caller, url: string, condition: object) =>
  makeLink(creator, url, {
    rules: { ageGate: false, offers: [{ id: 'one', all: [condition] }] },
    isLaxConfirmed: true,
  });

test('a tip opens a link', async ({ app, creator, browsers }) => {
  await openShop(creator, app, 1500);
  const { url } = await sellFor(creator, app.url, { kind: 'tip', minCents: 1000 });
  const viewer = await browsers.openPhone();
  await enter(viewer, url, { isAsked: false });
  await viewer.see(heading('$10 or more'));
  await viewer.tap(button('Other'));
  await viewer.type(css('input#other'), '3');
  await viewer.picture('gate-tip');
  await viewer.tap(button('$20'));
  await viewer.type(field('Message (optional)'), 'For the sea');
  await viewer.tap(button('Pay $20'));
  await payAt(viewer, `tipper-${browsers.engine}@example.com`, 'Pay $20.00');
  await viewer.see(heading('Thank you!'));
  await viewer.picture('tip-paid');
  await viewer.tap(link('Open album'));
  await viewer.tap(button('Open'));
  await untilPainted(viewer, 1);
});

test('a subscription opens a link, and stands among what was bought', async ({ app, creator, browsers }) => {
  await openShop(creator, app, 1500);
  const tier = { name: 'Inner circle', priceCents: 999 };
  const { id: tierId } = await call<{ id: string }>(creator, app.url, 'POST', '/fan-tiers', tier);
  const { url } = await sellFor(creator, app.url, { kind: 'fan_sub', tierIds: [tierId] });
  const viewer = await browsers.openPhone();
  await enter(viewer, url, { isAsked: false });
  await viewer.see(heading('$9.99 a month'));
  await viewer.picture('gate-subscribe');
  await viewer.tap(button('Subscribe for $9.99 a month'));
  await payAt(viewer, `fan-${browsers.engine}@example.com`, 'Pay $9.99');
  await viewer.see(heading("You're subscribed"));
  await viewer.tap(link('Open now'));
  await viewer.tap(button('Open'));
  await untilPainted(viewer, 1);
  await viewer.open(`${app.url}/my`);
  await viewer.see(button('Change card'));
  await viewer.picture('my-subscription');
});

test('what was paid for opens in another browser by a mailed link', async ({ app, creator, browsers }) => {
  const { slug } = await openShop(creator, app, 1500);
  const email = `buyer-${browsers.engine}-${process.pid}@example.com`;
  const payer = await browsers.openPhone();
  await enter(payer, `${app.url}/view/${slug}`);
  await payer.tap(button('Pay $15'));
  await payer.type(field('Email'), email);
  await payer.type(field('Card number'), '4242 4242 4242 4242');
  await payer.tap(button('Pay $15.00'));
  await payer.see(heading("It's yours to view"));
  await payer.tap(link('My purchases'));
  await payer.see(css('main li'));
  await payer.picture('my-purchases');

  const other = await browsers.openPhone();
  await enter(other, `${app.url}/view/${slug}`);
  await other.tap(link('Already paid? Get your link by email'));
  await other.type(field('Email'), email);
  await other.picture('find-my-purchases');
  await other.press('Enter');
  const mail = await app.readEmail(email, 'It works once');
  await other.open(mail.link);
  await other.tap(button('Show my purchases'));
  await other.see(heading('My purchases'));
  await other.tap(button('Open'));
  await other.tap(button('Open'));
  await untilPainted(other, 1);
});

test('a payment that is given up goes back to the door, which asks again', async ({ app, creator, browsers }) => {
  const { slug } = await openShop(creator, app, 1500);
  const viewer = await browsers.openPhone();
  await enter(viewer, `${app.url}/view/${slug}`);
  await viewer.tap(button('Pay $15'));
  await viewer.see(heading('$15.00'));
  await viewer.back();
  await viewer.waitFor(
    'the door stands again',
    () => location.pathname.startsWith('/view/') && document.readyState === 'complete',
  );
  await viewer.open(`${app.url}/view/${slug}`);
  await viewer.tap(button('Open'));
  await viewer.see(button('Pay $15'));
});

test('somebody who bought nothing has no purchases', async ({ app, browsers }) => {
  const viewer = await browsers.openPhone();
  await viewer.open(`${app.url}/my`);
  await viewer.see(text('Nothing bought in this browser'));
});
