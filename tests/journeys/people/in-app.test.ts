import type { Page } from '@playwright/test';
import { expect, openPhone, test } from '../support/app.ts';
import { becomeDemo, enter, expectPainted, makeLink } from '../support/steps.ts';

/*
 * Most links are tapped inside another app, in a browser of that app's own: a phone's screen, fingers, and cookies that may
 * be gone with the next tap.
 */
const apps = {
  Instagram:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 401.0.0.26.77 (iPhone17,2; iOS 19_1; en_GB; en-GB; scale=3.00; 1290x2796)',
  TikTok:
    'Mozilla/5.0 (Linux; Android 16; Pixel 9 Build/BP2A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/150.0.0.0 Mobile Safari/537.36 musical_ly_2024 BytedanceWebview/d8a21c6 TikTok 41.3.2',
};

for (const [app, name] of Object.entries(apps))
  test(`inside ${app}: fingers turn and put away the pictures, and a code brings back whom the app forgot`, async ({
    page,
    app,
    browser,
  }) => {
    test.setTimeout(150_000);
    await becomeDemo(page, app);
    const link = await makeLink(page, app.url, { rules: { maxViewers: 1 } });
    const phone = await openPhone(browser, name);
    const viewer = await phone.newPage();
    await viewer.goto(link.url);
    await enter(viewer, 8);
    const hint = viewer.getByRole('complementary', { name: 'Keep your access' });
    await hint.getByRole('button', { name: 'Show code' }).tap();
    const code = await viewer.getByText(/^[0-9A-Z]{5} [0-9A-Z]{5}$/).textContent();
    await viewer.getByRole('button', { name: 'Close' }).tap();
    await expect(hint, 'said once').toBeHidden();

    await viewer.getByRole('button', { name: 'Photo 3 of 8' }).tap();
    await expectOpen(viewer, 3);
    const finger = await takeFinger(viewer);
    await finger.drag({ x: 320, y: 420 }, { x: 60, y: 430 });
    await expectOpen(viewer, 4);
    await finger.drag({ x: 60, y: 420 }, { x: 320, y: 410 });
    await expectOpen(viewer, 3);
    // Not far enough, and slowly: the picture slides back.
    await finger.drag({ x: 240, y: 420 }, { x: 190, y: 420 }, { stepMs: 40 });
    await expectOpen(viewer, 3);
    await finger.drag({ x: 195, y: 300 }, { x: 200, y: 700 });
    await expect(viewer.getByRole('dialog')).toBeHidden();

    // The app forgets who this was; the link lets one person in, so it tells this stranger nothing.
    await phone.clearCookies();
    await viewer.reload();
    await viewer.getByRole('button', { name: 'Open', exact: true }).tap();
    await viewer.getByRole('button', { name: 'Yes' }).tap();
    await expect(viewer.getByRole('heading', { name: "This link isn't available" })).toBeVisible();
    await viewer.getByRole('button', { name: 'I have an access code' }).tap();
    await viewer.getByLabel('Access code').fill(code ?? '');
    await viewer.getByRole('button', { name: 'Open', exact: true }).tap();
    await expectPainted(viewer, 8);
    await phone.close();
  });

/** A picture is the open one, sharp, and where it belongs. */
async function expectOpen(viewer: Page, photo: number): Promise<void> {
  await expect(viewer.getByRole('status').filter({ hasText: `Photo ${photo} of 8` })).toBeAttached();
  await expect(viewer.locator('.slide[data-current] canvas.full[data-painted]')).toHaveCount(1, { timeout: 20_000 });
  const left = () => viewer.locator('.slide[data-current]').evaluate((slide) => slide.getBoundingClientRect().left);
  await expect.poll(left).toBe(0);
}

interface Point {
  x: number;
  y: number;
}

/** A finger on the glass: touch events as the screen itself makes them, so that the browser may take the gesture for its own. */
async function takeFinger(viewer: Page) {
  const glass = await viewer.context().newCDPSession(viewer);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]) =>
    glass.send('Input.dispatchTouchEvent', { type, touchPoints });
  return {
    async drag(from: Point, to: Point, { stepMs = 12 } = {}): Promise<void> {
      const steps = 10;
      await touch('touchStart', [from]);
      for (let n = 1; n <= steps; n++) {
        await viewer.waitForTimeout(stepMs);
        const part = n / steps;
        await touch('touchMove', [{ x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }]);
      }
      await touch('touchEnd', []);
    },
  };
}
