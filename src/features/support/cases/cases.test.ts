import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { minuteMs } from '#kit/time.ts';
import {
  advance,
  listTemplates,
  makeAdministrator,
  must,
  type Person,
  readEmail,
  readRows,
  signInQuickly,
  signUpCreator,
} from '#tests/support/people.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

const operatorEmail = 'operator@example.com';
let app: TestApp;
let admin: Person;
let desk: Browser;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  Object.assign(app.engines.installation, { operatorEmail });
  admin = await signUpCreator(app);
  await makeAdministrator(app, admin);
});
afterAll(() => app.close());
beforeEach(async () => {
  app.setNow('2026-11-30T12:00:00Z');
  for (const table of ['support_requests', 'mail_outbox', 'rate_limits', 'reports'])
    await readRows(app, `delete from ${table}`);
  desk = await signInQuickly(app, admin.userId);
});

const email = 'ben@example.com';
const message = 'It never came to me.';
const text = 'It came now, but it is one of yesterday.';

/** Somebody's message, and what the email about it leads to. */
async function written() {
  const request = { name: 'Ben', email, subject: 'No code', message };
  const { number } = await must(app, 'support.send', request, newBrowser());
  return { number, secret: await secretOf() };
}
async function secretOf(): Promise<string> {
  const { token, link } = await readEmail(app, email);
  expect(link).toContain('/case?of=');
  return token;
}
const show = (reference: object, browser = newBrowser()) => app.call('cases.show', reference, browser);
const reply = (reference: object, said = text, browser = newBrowser()) =>
  app.call('cases.reply', { ...reference, text: said }, browser);
const answer = (number: string, more: object = {}) =>
  app.call(
    'adminSupport.answer',
    { number, text: 'We sent a new one.', answersSeen: 0, repliesSeen: 0, ...more },
    desk,
  );

describe('a message to support', () => {
  it('tells by the link in its email how it stands, and before the first answer not a word of it', async () => {
    const reference = await written();
    expect((await show(reference)).body).toMatchObject({ status: 'pending', messages: [] });
    await must(app, 'adminSupport.show', { number: reference.number }, desk);
    const { body } = await show(reference);
    expect(body).toMatchObject({ status: 'open', messages: [] });
    expect(JSON.stringify(body)).not.toContain(message);
  });

  it('is written to once more by the link in the answer: it is open again, and the operator is told', async () => {
    const { number } = await written();
    advance(app, minuteMs);
    await answer(number);
    const reference = { number, secret: await secretOf() };
    advance(app, minuteMs);
    expect((await reply(reference)).body).toMatchObject({
      status: 'open',
      messages: [
        { from: 'them', text: message },
        { from: 'us', text: 'We sent a new one.' },
        { from: 'them', text },
      ],
    });
    expect((await readEmail(app, operatorEmail)).text).toContain(text);
    expect(await must(app, 'adminSupport.show', { number }, desk)).toMatchObject({
      status: 'open',
      replies: [{ text }],
    });
    expect((await must(app, 'adminSupport.waiting', {}, desk)).cases).toMatchObject([{ number, status: 'open' }]);
  });

  it('is neither answered nor closed over the head of whoever has written again', async () => {
    const reference = await written();
    await reply(reference);
    const { number } = reference;
    expect((await answer(number)).status).toBe(409);
    expect((await app.call('adminSupport.close', { number, repliesSeen: 0 }, desk)).status).toBe(409);
    expect((await answer(number, { repliesSeen: 1 })).status).toBe(200);
  });

  it('takes the same words once, however often they are sent, and ten in a day', async () => {
    const reference = await written();
    const answers = await Promise.all([reply(reference), reply(reference), reply(reference)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await readRows(app, 'select text from support_replies')).toEqual([{ text }]);
    expect((await listTemplates(app, operatorEmail)).filter((name) => name === 'support_reply')).toHaveLength(1);
    const statuses = [];
    for (let n = 0; n < 8; n++) statuses.push((await reply(reference, `${text} ${n}`)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 200, 429]);
  });

  it('opens by no other secret, no other number, and not as a report', async () => {
    const reference = await written();
    const other = await written();
    expect((await show({ ...reference, secret: 'A'.repeat(43) })).status).toBe(410);
    expect((await show({ ...reference, number: '12345678' })).status).toBe(410);
    expect((await reply({ ...reference, secret: 'A'.repeat(43) })).status).toBe(410);
    expect((await app.call('reports.state', reference, newBrowser())).status).toBe(410);
    expect(other.number).not.toBe(reference.number);
    expect(await readRows(app, 'select 1 from support_replies')).toEqual([]);
    await readRows(app, 'delete from support_requests');
    expect((await show(reference)).status).toBe(410);
  });

  it('is not asked about without an end from one network', async () => {
    const reference = await written();
    const browser = newBrowser();
    const statuses = [];
    for (let n = 0; n < 121; n++) statuses.push((await show(reference, browser)).status);
    expect(statuses.indexOf(429)).toBe(120);
    expect((await show(reference)).status).toBe(200);
  });
});

describe('a report', () => {
  it('tells whoever sent it how it stands, and why nothing was removed', async () => {
    const report = {
      kind: 'other',
      target: 'a picture of me',
      details: 'It shows me, and I never agreed.',
      onBehalf: 'self',
      name: 'Ben Example',
      email,
      isInGoodFaith: true,
    };
    const { number } = await must(app, 'reports.send', report, newBrowser());
    const reference = { number, secret: await secretOf() };
    const state = async () => (await app.call('reports.state', reference, newBrowser())).body;
    expect(await state()).toMatchObject({ state: 'waiting', decidedAt: null, reason: null });
    await must(app, 'adminReports.decide', { number, isRemoved: false, reason: 'It shows a garden.' }, desk);
    expect(await state()).toMatchObject({ state: 'rejected', reason: 'It shows a garden.' });
    expect(JSON.stringify(await state())).not.toContain('never agreed');
    await readRows(app, `update reports set state = 'rejected', reason = 'It shows somebody.' where number = $1`, [
      number,
    ]);
    await readRows(
      app,
      `insert into report_answers (id, report_id, creator_id, kind, text, name, postal_address, created_at, decide_by, decided_at, outcome, reason)
       select gen_random_uuid(), id, $2, 'appeal', 'It is mine.', null, null, now(), now(), now(), 'restored', 'It is theirs.' from reports where number = $1`,
      [number, admin.userId],
    );
    expect(await state()).toMatchObject({ state: 'restored', reason: 'It is theirs.' });
    const wrong = { ...reference, secret: 'A'.repeat(43) };
    expect((await app.call('reports.state', wrong, newBrowser())).status).toBe(410);
  });
});
