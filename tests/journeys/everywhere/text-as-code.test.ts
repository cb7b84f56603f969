import type { Page } from '@playwright/test';
import { expect, test } from '../support/app.ts';
import { collectComplaints } from '../support/complaints.ts';
import { becomeDemo } from '../support/steps.ts';

/** What the frame of the studio's program says until it has loaded. */
const waiting = 'Loading app...';

/** A page that does not match what its program draws, as after an extension rewrote it: React throws it away and draws all again. */
async function garble(page: Page, address: string): Promise<void> {
  await page.route(address, async (route) => {
    const response = await route.fetch();
    const { 'content-encoding': _encoding, ...headers } = response.headers();
    await route.fulfill({
      response,
      headers,
      body: (await response.text()).replaceAll(waiting, "Somebody else's words"),
    });
  });
}

test('a page that has to be drawn again is drawn, under the policy that reads no text as code', async ({
  page,
  app,
}) => {
  const complaints = await collectComplaints(page);
  await garble(page, `${app.url}/auth`);
  await page.goto(`${app.url}/auth`);
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  expect(complaints.filter((line) => !line.includes('#418'))).toEqual([]);
  // It was drawn again indeed: what does not match is React's error 418.
  expect(complaints.join()).toContain('#418');
  await page.getByRole('link', { name: /Start Free Trial/ }).click();
  await expect(page.getByRole('heading', { name: 'Start your free trial' })).toBeVisible();
});

/** Every way from text to code that a hole in a page could lend; tells which of them ran. */
const tryAll = (elsewhere: string) => {
  const ran: string[] = [];
  Object.assign(globalThis, { ran: (way: string) => ran.push(way) });
  const attempt = (way: string, run: () => unknown) => {
    try {
      run();
    } catch {
      // Refused, which is as good as nothing.
      ran.push(`refused: ${way}`);
    }
  };
  const box = document.body.appendChild(document.createElement('div'));
  attempt('HTML', () => {
    box.innerHTML =
      '<b>said</b><img src="data:," onerror="ran(\'HTML\')"><iframe srcdoc="<script>parent.ran(1)</script>">';
  });
  attempt('text of a script', () => {
    const script = document.createElement('script');
    script.text = "ran('text of a script')";
    document.body.append(script);
    if (script.text !== '') ran.push('a script has text');
  });
  attempt('address of a script', () => {
    const script = document.createElement('script');
    script.src = elsewhere;
  });
  attempt('worker', () => new Worker(elsewhere));
  attempt('worker of text', () => new Worker(URL.createObjectURL(new Blob(["ran('worker')"]))));
  attempt('text of a timer', () => setTimeout("ran('text of a timer')"));
  return new Promise<{ ran: string[]; left: string }>((resolve) =>
    setTimeout(() => resolve({ ran, left: box.innerHTML }), 300),
  );
};

test('in the studio no text becomes HTML or code, and no program comes from elsewhere', async ({ page, app }) => {
  await becomeDemo(page, app);
  for (const path of ['/my', '/my/links', '/account', '/nowhere']) {
    await page.goto(`${app.url}${path}`);
    await page.getByRole('heading').first().waitFor();
    const refused = ['address of a script', 'worker', 'worker of text'].map((way) => `refused: ${way}`);
    expect([path, await page.evaluate(tryAll, 'https://elsewhere.example/program.js')]).toEqual([
      path,
      { ran: refused, left: '' },
    ]);
  }
});
