import { expect, test } from '../support/app.ts';
import { collectComplaints } from '../support/complaints.ts';

const google = 'https://www.googletagmanager.com';
/** What the tag of Google does, as far as a policy is concerned: it adds a script of its own, and sends what it has counted. */
const tag = `
  const script = document.createElement('script');
  script.src = '${google}/more.js';
  document.head.append(script);
  try { document.createElement('script').src = 'https://elsewhere.example/x.js'; window.gotElsewhere = true } catch {}
  fetch('https://region1.google-analytics.com/g/collect', { method: 'POST', mode: 'no-cors', body: String(dataLayer.length) });
`;

test('visits are measured only with an id in the settings and a yes, and then the policy admits exactly what is needed', async ({
  page,
  app,
}) => {
  const asked: string[] = [];
  await page.route(/google/, async (route) => {
    const { hostname, pathname } = new URL(route.request().url());
    asked.push(hostname + pathname);
    await route.fulfill({ contentType: 'text/javascript', body: pathname === '/gtag/js' ? tag : '' });
  });
  const policyAt = async (address: string) =>
    (await page.goto(app.url + address))?.headers()['content-security-policy'] ?? '';
  const question = page.getByRole('region', { name: 'Measuring visits' });

  await page.context().addCookies([{ name: 'pf_consent', value: 'yes', url: app.url }]);
  expect(await policyAt('/about'), 'a yes alone is nothing').not.toContain('google');
  await page.context().clearCookies();
  await expect(question).toHaveCount(0);
  await app.operate('set', 'marketing.gtagId', 'G-TEST12345');
  try {
    const complaints = await collectComplaints(page);
    expect(await policyAt('/about')).not.toContain('google');
    await question.getByRole('button', { name: 'No, thanks' }).click();
    await expect(question).toBeHidden();
    expect(await policyAt('/pricing')).not.toContain('google');
    await expect(question).toHaveCount(0);
    expect(asked).toEqual([]);

    await page.context().clearCookies();
    await page.goto(`${app.url}/about`);
    await question.getByRole('button', { name: 'Yes, count it' }).click();
    await expect(question).toBeHidden();
    const policy = await policyAt('/pricing');
    expect(policy).toMatch(/script-src 'self' 'sha256-\S+' https:\/\/www\.googletagmanager\.com;/);
    expect(policy).toContain('trusted-types default goog#html');
    await expect
      .poll(() => asked.toSorted())
      .toEqual([
        'region1.google-analytics.com/g/collect',
        'www.googletagmanager.com/gtag/js',
        'www.googletagmanager.com/more.js',
      ]);
    expect(await page.evaluate(() => 'gotElsewhere' in window)).toBe(false);
    expect(complaints.filter((line) => !/elsewhere\.example|TrustedScriptURL|trusted-types-sink/.test(line))).toEqual(
      [],
    );
    await page.goto(`${app.url}/privacy-policy`);
    await expect(page.getByText('Google receives the address of each public page')).toBeVisible();
  } finally {
    await app.operate('set', 'marketing.gtagId', '');
  }
});
