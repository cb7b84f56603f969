import type { Page } from '@playwright/test';
import { usualFacts as usualHelpFacts } from '../../../src/features/assistant/facts.ts';
import type { ChosenVideo } from '../../../src/features/marketing/demo-video.ts';
import { usualFacts } from '../../../src/features/marketing/facts.ts';
import { canDrawClips, drawClip, warnNoClips } from '../../support/media/clips.ts';
import { expect, type JourneyApp, test } from '../support/app.ts';
import { collectComplaints } from '../support/complaints.ts';
import { playsVideos } from '../support/video-watch.ts';

const facade = (page: Page) => page.getByRole('region', { name: 'Demo video' });

const ownVideo = { src: '/demo-video.mp4', poster: '/demo-video.jpg' };

/** The home page as it is with the built-in video, whether one was made or not. */
const withBuiltIn = (page: Page, app: JourneyApp) => withVideo(page, app, { kind: 'file', ...ownVideo });

/** The home page as it is with this video. */
async function withVideo(page: Page, { url }: JourneyApp, video: ChosenVideo): Promise<void> {
  const file = '../../../build/public/render-pages.js';
  const { renderPages } = (await import(file)) as { renderPages: (facts: object) => Record<string, string> };
  const { '/': body } = renderPages({ site: { ...usualFacts, publicUrl: url, video }, help: usualHelpFacts });
  await page.route(`${url}/`, async (route) => {
    const response = await route.fetch();
    const { 'content-encoding': _encoding, ...headers } = response.headers();
    const html = (await response.text()).replace(
      /<body>[\s\S]*?(<script type="module")/,
      (_all, script) => `<body>${body}${script}`,
    );
    await route.fulfill({ response, headers, body: html });
  });
  await page.route('**/demo-video.jpg', (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
  );
}

test('the demo video comes a second after the page, says that it is loading, and is ready when it is there, and none of it is fetched before it is played', async ({
  page,
  app,
}) => {
  test.skip(!canDrawClips, 'There is no ffmpeg on this machine.');
  if (!canDrawClips) warnNoClips();
  const complaints = await collectComplaints(page);
  await withBuiltIn(page, app);
  test.skip(!(await playsVideos(page)), 'This browser plays no H.264.');
  const mayCome = Promise.withResolvers<void>();
  let asked = 0;
  await page.route('**/demo-video.mp4', async (route) => {
    asked += 1;
    await mayCome.promise;
    await route.fulfill({ contentType: 'video/mp4', body: drawClip({ seconds: 2 }) });
  });
  await page.clock.install({ time: '2026-11-26T12:00:00Z' });
  await page.clock.pauseAt('2026-11-26T12:00:01Z');
  await page.goto(app.url);
  const before = await facade(page).boundingBox();
  await page.clock.runFor(900);
  await expect(facade(page).locator('video')).toHaveCount(0);
  await page.clock.runFor(200);
  await expect(facade(page).getByText('Loading Video...')).toBeVisible();
  mayCome.resolve();
  await expect(facade(page).getByText('Loading Video...')).toBeHidden();
  await expect(facade(page).locator('video')).toHaveJSProperty('preload', 'none');
  expect(asked, 'once, whether it is there').toBe(1);
  expect(await facade(page).boundingBox(), 'its place was kept').toEqual(before);
  expect(complaints).toEqual([]);
});

test('a demo video that does not come says so, and leaves the page as it is', async ({ page, app }) => {
  await withBuiltIn(page, app);
  await page.route('**/demo-video.mp4', (route) => route.fulfill({ status: 500 }));
  await page.goto(app.url);
  await expect(facade(page).getByText("The video couldn't be loaded.")).toBeVisible();
  await expect(facade(page).locator('video')).toHaveCount(0);
});

test("somebody else's video waits for the click, stands alone in the policy, and comes by itself once that was allowed", async ({
  page,
  app,
}) => {
  await app.operate('set', 'youtube_video_url', 'https://youtu.be/dQw4w9WgXcQ');
  try {
    const embed = 'https://www.youtube.com/embed/dQw4w9WgXcQ';
    await page.route('https://www.youtube.com/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<p>a video</p>' }),
    );
    const answer = await page.goto(app.url);
    const policy = answer?.headers()['content-security-policy'] ?? '';
    expect(policy).toContain('; frame-src https://www.youtube.com;');
    expect(policy).toContain("; connect-src 'self' https://www.youtube.com;");
    expect(policy.match(/https?:/g)).toHaveLength(2);
    await page.waitForTimeout(1500);
    await expect(page.locator('iframe')).toHaveCount(0);
    await expect(facade(page)).toContainText('Plays from www.youtube.com when you tap it');
    await page.getByRole('button', { name: 'Play the demo video' }).click();
    await expect(page.locator('iframe')).toHaveAttribute('src', embed);
    await expect(page.frameLocator('iframe').getByText('a video')).toBeVisible();
    await expect(facade(page).getByText('Loading Video...')).toBeHidden();

    await page.context().addCookies([{ name: 'pf_consent', value: 'yes', url: app.url }]);
    await page.goto(app.url);
    await expect(page.locator('iframe')).toHaveAttribute('src', embed);
  } finally {
    await app.operate('set', 'youtube_video_url', '');
  }
});

test("somebody else's video that is blocked ends as the one of our own", async ({ page, app }) => {
  const video = { kind: 'embed', src: 'https://video.example/embed/42', fallback: ownVideo } as const;
  await withVideo(page, app, video);
  await page.route('https://video.example/**', (route) => route.abort('blockedbyclient'));
  await page.route('**/demo-video.mp4', (route) => route.fulfill({ status: 200, contentType: 'video/mp4', body: '' }));
  await page.goto(app.url);
  await page.getByRole('button', { name: 'Play the demo video' }).click();
  await expect(facade(page).locator('video')).toHaveAttribute('src', '/demo-video.mp4');
  await expect(facade(page).locator('video')).toHaveAttribute('poster', '/demo-video.jpg');
  await expect(page.locator('iframe')).toHaveCount(0);
});
