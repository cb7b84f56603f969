import { call } from '../journeys/support/calls.ts';
import { pictureFiles } from '../journeys/support/seeded-data.ts';
import { openShop } from '../journeys/support/selling.ts';
import { becomeDemo, makeLink } from '../journeys/support/steps.ts';
import { needPlayer } from './support/playing.ts';
import { test } from './support/story.ts';
import { alert, button, checkbox, css, field, heading, link, text } from './support/targets.ts';
import { enter, untilDark, untilPainted, untilPlayed, untilSlidePainted } from './support/viewing.ts';

/* The four stories that run in `npm test`, in each engine that is there. */

test('from the door to a photo, taken back while it is open', { tag: '@main' }, async ({ app, creator, browsers }) => {
  await becomeDemo(creator, app);
  const { id, url } = await makeLink(creator, app.url, { recipientName: 'Bob' });
  const viewer = await browsers.openPhone();
  await viewer.open(url);
  await viewer.see(button('Open'));
  await viewer.picture('door');
  await viewer.tap(button('Open'));
  await viewer.see(heading('Are you 18 or older?'));
  await viewer.picture('gate-age');
  await viewer.tap(button('Yes'));
  await untilPainted(viewer, 8);
  await viewer.picture('gallery');
  await viewer.tap(button(/^Photo 1 of 8/));
  await untilSlidePainted(viewer);
  await viewer.picture('photo');
  await call(creator, app.url, 'POST', '/links/revoke', { linkIds: [id] });
  await viewer.see(heading('Access ended'));
  await untilDark(viewer);
  await viewer.picture('access-ended');
});

test('a video plays', { tag: '@main' }, async ({ app, creator, browsers }) => {
  const viewer = await browsers.openPhone();
  await needPlayer(viewer, browsers.engine);
  await becomeDemo(creator, app);
  const { albums } = await call<{ albums: { id: string; videoCount: number }[] }>(
    creator,
    app.url,
    'GET',
    '/albums?filter=ready',
  );
  const album = albums.find(({ videoCount }) => videoCount > 0);
  const rules = { albumIds: [album?.id], rules: { ageGate: false }, isLaxConfirmed: true };
  const { url } = await call<{ url: string }>(creator, app.url, 'POST', '/links', rules);
  await enter(viewer, url, { isAsked: false });
  await untilPainted(viewer, 1);
  await viewer.tap(button(/^Video 1 of 1/));
  await viewer.tap(button('Play video'));
  await untilPlayed(viewer, 1);
  await viewer.picture('video');
});

test('a link is paid for and opens', { tag: '@main' }, async ({ app, creator, browsers }) => {
  const { slug } = await openShop(creator, app, 1500);
  const viewer = await browsers.openPhone();
  await enter(viewer, `${app.url}/view/${slug}`);
  await viewer.see(button('Pay $15'));
  await viewer.picture('gate-price');
  await viewer.tap(button('Pay $15'));
  await viewer.type(field('Email'), `payer-${browsers.engine}@example.com`);
  await viewer.type(field('Card number'), '4000 0000 0000 0002');
  await viewer.picture('sandbox-payment');
  await viewer.tap(button('Pay $15.00'));
  await viewer.see({ ...alert });
  await viewer.see(text('Your card was declined. Nothing was charged.'));
  await viewer.type(field('Card number'), '4242 4242 4242 4242');
  await viewer.tap(button('Pay $15.00'));
  await viewer.see(heading("It's yours to view"));
  await viewer.picture('paid');
  await viewer.tap(link('Open now'));
  await viewer.tap(button('Open'));
  await untilPainted(viewer, 1);
});

test('somebody new signs up, uploads a photo and has a link to it', { tag: '@main' }, async ({ app, browsers }) => {
  test.setTimeout(240_000);
  const page = await browsers.openPhone();
  const name = `new-${browsers.engine}-${process.pid}`;
  await page.open(app.url);
  await page.picture('home');
  await page.tap(link('Start Free Trial'));
  await page.type(field('Email'), `${name}@example.com`);
  await page.tap(checkbox(/18 years or older/));
  await page.tap(button('Start Free Trial'));
  await page.inFrame(css('iframe[title="Secure checkout"]'), (frame) => frame.tap(button('Start Free Trial')));
  await page.see(heading('Check your email'));
  await page.picture('check-email');
  await page.type(field('6-digit code'), (await app.readEmail(`${name}@example.com`)).code);
  await page.type(field('Password'), 'three calm rivers');
  await page.tap(button('Next'));
  await page.type(field('Display name'), 'Mia');
  await page.type(field('Handle'), name.replaceAll('-', '_'));
  await page.picture('setup-profile');
  await page.tap(button('Next'));
  await page.type(field('Date of birth'), '1994-05-01');
  await page.tap(checkbox(/only person shown/));
  await page.tap(button('Next'));
  await page.tap(button(/Upload photos/));
  await page.type(field('Name'), 'Lake');
  await page.tap(button('Create album'));
  await page.see(heading('Lake'));
  await page.upload(field('Photos to upload'), ...pictureFiles('evening'));
  await page.see(button(/^Photo 1 of 1/), 60);
  await page.picture('album');
  await page.see(link('Share'), 120);
  await page.tap(link('Share'));
  await page.tap(button('Only me'));
  await page.picture('link-sheet');
  await page.tap(button('Copy link'));
  await page.tap(button('Skip'));
  await page.see(button('Copied'));
});
