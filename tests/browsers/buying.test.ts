import { openShop } from '../journeys/support/selling.ts';
import { test } from './support/story.ts';
import { button, css, field, heading, link, text } from './support/targets.ts';
import { enter, untilPainted } from './support/viewing.ts';

test.setTimeout(240_000);

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
  await viewer.waitFor('the door stands again', () => location.pathname.startsWith('/view/'));
  await viewer.open(`${app.url}/view/${slug}`);
  await viewer.tap(button('Open'));
  await viewer.see(button('Pay $15'));
});

test('somebody who bought nothing has no purchases', async ({ app, browsers }) => {
  const viewer = await browsers.openPhone();
  await viewer.open(`${app.url}/my`);
  await viewer.see(text('Nothing bought in this browser'));
});
