import { expect, test } from '../support/app.ts';
import { signUp, startTrial } from '../support/signing-up.ts';

/** Between an address and the studio nothing that was done is lost: not by a reload, not by Back, not by a mistyped year. */
test.setTimeout(120_000);

test('a reload asks for the code again, which may be pasted as it stands in the email', async ({ page, app }) => {
  const email = `reload-${process.pid}@example.com`;
  await page.goto(`${app.url}/auth?action=signup`);
  const ask = async () => {
    await page.getByLabel('Email').fill(email);
    await page.getByRole('checkbox', { name: /18 years or older/ }).check();
    await page.getByRole('button', { name: 'Start Free Trial' }).click();
  };
  await ask();
  await startTrial(page);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await expect(page.getByText('r•••@example.com')).toBeVisible();

  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Start your free trial' })).toBeVisible();
  await ask();
  await startTrial(page);
  const code = page.getByLabel('6-digit code');
  const { code: digits } = await app.readEmail(email);
  const arabic = [...digits].map((digit) => String.fromCodePoint(0x660 + Number(digit))).join('');
  await code.fill(`${arabic.slice(0, 3)} ${arabic.slice(3, 5)}`);
  await expect(code).toHaveValue(digits.slice(0, 5));
  await code.fill(` ${arabic.slice(0, 3)} ${arabic.slice(3)} `);
  await expect(page.getByRole('heading', { name: 'Create your password' })).toBeVisible();
});

test('Back leads from step to step and keeps what was entered, also after a reload', async ({ page, app }) => {
  await signUp(page, app, { before: 'consent' });
  await page.goto(`${app.url}/pricing`);
  await page.goto(`${app.url}/account/setup`);
  const [born, consents] = [
    page.getByLabel('Date of birth'),
    page.getByRole('checkbox', { name: /only person shown/ }),
  ];
  const news = page.getByRole('checkbox', { name: /occasional news/ });
  const [next, back] = [
    page.getByRole('button', { name: 'Next', exact: true }),
    page.getByRole('button', { name: 'Back', exact: true }),
  ];
  await born.fill('1994-05-01');
  await consents.check();
  await news.check();
  await next.click();
  const last = page.getByRole('button', { name: /Look around/ });
  await expect(last).toBeVisible();
  const expectThird = async () => {
    await expect(born).toHaveValue('1994-05-01');
    await expect(consents).toBeChecked();
    await expect(news).toBeChecked();
  };
  await back.click();
  await expectThird();
  await page.goForward();
  await expect(last).toBeVisible();
  await page.goBack();
  await expectThird();
  await page.reload();
  await expectThird();
  await back.click();
  await expect(page.getByLabel('Display name')).toHaveValue('Mia');
  await next.click();
  await expectThird();
  await page.goBack();
  await expect(page.getByLabel('Display name')).toHaveValue('Mia');
  await next.click();
  await next.click();
  await last.click();
  await expect(page.getByRole('heading', { name: /, Mia$/ })).toBeVisible();
});

test('a mistyped year is asked about before anything happens', async ({ page, app }) => {
  await signUp(page, app, { before: 'consent' });
  await page.goto(`${app.url}/account/setup`);
  const year = new Date().getFullYear() - 14;
  await page.getByLabel('Date of birth').fill(`${year}-05-01`);
  await page.getByRole('checkbox', { name: /only person shown/ }).check();
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  const question = page.getByRole('dialog', { name: `You entered ${year} – is that right?` });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toHaveCount(0);
  await page.getByLabel('Date of birth').fill('1994-05-01');
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect(page.getByRole('button', { name: /Look around/ })).toBeVisible();
});
