import { call } from '../journeys/support/calls.ts';
import { becomeDemo, makeLink } from '../journeys/support/steps.ts';
import { expect, test } from './support/story.ts';
import type { Tab } from './support/tab.ts';
import { button, css, dialog, heading, inside, type Target, text } from './support/targets.ts';
import { enter, untilDark, untilPainted, untilSlidePainted } from './support/viewing.ts';

/* What a viewer does with pictures that are open. */

const pictures = dialog('Pictures');
const picture = (place: number): Target => inside(pictures, { by: 'role', role: 'img', words: `Photo ${place} of 8` });

/** The place that is said to whoever cannot see it. */
const untilAt = (viewer: Tab, place: number) =>
  viewer.waitFor(
    `photo ${place} is open`,
    (wanted) =>
      [...document.querySelectorAll('[role=status]')].some(({ textContent }) =>
        textContent?.includes(`Photo ${wanted} of 8`),
      ),
    place,
  );

test('a hand turns to the next picture, enlarges it and puts it away', async ({ app, creator, browsers }) => {
  await becomeDemo(creator, app);
  const { url } = await makeLink(creator, app.url, { rules: { ageGate: false } });
  const viewer = await browsers.openPhone();
  await enter(viewer, url, { isAsked: false });
  await untilPainted(viewer, 8);
  await viewer.tap(button('Photo 2 of 8'));
  await untilAt(viewer, 2);
  await untilSlidePainted(viewer);
  const whole = await viewer.middleOf(picture(2));
  const middle = { x: 195, y: 422 };
  await viewer.tapTwice(middle);
  await expect.poll(async () => (await viewer.middleOf(picture(2))).width / whole.width).toBeGreaterThan(1.8);
  await viewer.picture('photo-enlarged');
  await viewer.tapTwice(middle);
  await expect.poll(async () => Math.round((await viewer.middleOf(picture(2))).width)).toBe(Math.round(whole.width));
  await viewer.drag({ x: 300, y: 422 }, { x: 60, y: 422 });
  await untilAt(viewer, 3);
  await viewer.drag({ x: 60, y: 422 }, { x: 300, y: 422 });
  await untilAt(viewer, 2);
  await viewer.drag({ x: 195, y: 300 }, { x: 195, y: 760 });
  await viewer.seeNo(pictures);
});

test('the keys turn, and Escape puts away', async ({ app, creator, browsers }) => {
  await becomeDemo(creator, app);
  const { url } = await makeLink(creator, app.url, { rules: { ageGate: false } });
  const viewer = await browsers.openDesk();
  await enter(viewer, url, { isAsked: false });
  await untilPainted(viewer, 8);
  await viewer.picture('gallery-desk');
  await viewer.tap(button('Photo 1 of 8'));
  await untilAt(viewer, 1);
  await viewer.press('ArrowRight');
  await untilAt(viewer, 2);
  await untilSlidePainted(viewer);
  await viewer.picture('photo-desk');
  await viewer.press('ArrowLeft');
  await untilAt(viewer, 1);
  await viewer.press('Escape');
  await viewer.seeNo(pictures);
});

test('the back button puts a picture away, and back and forward come to the door again', async ({
  app,
  creator,
  browsers,
}) => {
  await becomeDemo(creator, app);
  const { url } = await makeLink(creator, app.url, { rules: { ageGate: false } });
  const viewer = await browsers.openPhone();
  await viewer.open(`${app.url}/pricing`);
  await enter(viewer, url, { isAsked: false });
  await untilPainted(viewer, 8);
  await viewer.tap(button('Photo 1 of 8'));
  await untilAt(viewer, 1);
  await viewer.back();
  await viewer.seeNo(pictures);
  expect(await viewer.address()).toBe(url);
  await viewer.back();
  await viewer.see(heading(/plan|price|pricing|cost/i));
  await viewer.forward();
  // The page may be the one that was left, or a new one with its door.
  await viewer.waitFor(
    'the door or the pictures',
    () =>
      document.querySelectorAll('#grid canvas[data-painted]').length === 8 ||
      [...document.querySelectorAll('button')].some(({ textContent }) => textContent === 'Open'),
  );
});

test('two tabs of one browser both show the pictures, and both close', async ({ app, creator, browsers }) => {
  await becomeDemo(creator, app);
  const { id, url } = await makeLink(creator, app.url, { rules: { bindFirstViewer: true, ageGate: false } });
  const phone = await browsers.openDevice('phone');
  const first = await phone.openTab();
  await enter(first, url, { isAsked: false });
  await untilPainted(first, 8);
  const second = await phone.openTab();
  await enter(second, url, { isAsked: false });
  await untilPainted(second, 8);
  await call(creator, app.url, 'POST', '/links/revoke', { linkIds: [id] });
  for (const tab of [second, first]) {
    await tab.see(heading('Access ended'), 60);
    await untilDark(tab);
  }
});

test('a creator closes an open screen, which opens again', async ({ app, creator, browsers }) => {
  await becomeDemo(creator, app);
  const { url } = await makeLink(creator, app.url, { rules: { ageGate: false } });
  const viewer = await browsers.openPhone();
  await enter(viewer, url, { isAsked: false });
  await untilPainted(viewer, 8);
  const desk = await browsers.openDesk(creator);
  await desk.open(app.url);
  await desk.see(text(/is looking now/));
  await desk.picture('dashboard');
  await desk.tap(button('Close their screen'));
  await viewer.see(heading('The creator closed this view'));
  await untilDark(viewer);
  await viewer.reload();
  await viewer.tap(button('Open'));
  await untilPainted(viewer, 8);
});

test('what the creator can see is told under More', async ({ app, creator, browsers }) => {
  await becomeDemo(creator, app);
  const { url } = await makeLink(creator, app.url, { rules: { ageGate: false } });
  const viewer = await browsers.openPhone();
  await enter(viewer, url, { isAsked: false });
  await untilPainted(viewer, 8);
  await viewer.tap(button('More'));
  await viewer.see(dialog('This view'));
  await viewer.picture('more');
  await viewer.tap(button('What the creator can see'));
  await viewer.see(dialog('What the creator can see'));
  await viewer.press('Escape');
  await viewer.seeNo(dialog('What the creator can see'));
  await viewer.see(css('#grid canvas[data-painted]'));
});
