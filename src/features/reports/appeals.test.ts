import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listEmails } from '#features/notices/store.ts';
import { dayMs, hourMs, minuteMs } from '#kit/time.ts';
import { openTakenDown } from '#tests/support/open-taken-down.ts';
import { advance, must, readRows, signInQuickly, signUpCreator } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { runReports } from './commands.ts';
import { endCounterNotices } from './deciding.ts';
import { remindOfReports } from './jobs.ts';

const operatorEmail = 'operator@example.com';
const reporter = 'ana@example.com';
let app: TestApp;
let shared: SharedAlbum;
let creator: Browser;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  Object.assign(app.engines.installation, { operatorEmail });
  shared = await shareAlbum(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  app.setNow('2026-11-23T12:00:00Z');
  creator = await signInQuickly(app, shared.creator.userId);
  for (const table of ['reports', 'mail_outbox', 'rate_limits']) await readRows(app, `delete from ${table}`);
  await openTakenDown(app);
});

/** A link can be made only of what can be shown. */
const showMedia = () => readRows(app, "update media set state = 'ready', fail_code = null");

const send = async (target: string, kind = 'intimate'): Promise<string> => {
  const report = {
    kind,
    target,
    details: 'The second photo shows me, and I never agreed.',
    onBehalf: 'self',
    name: 'Ana Example',
    email: reporter,
    isInGoodFaith: true,
  };
  return (await must(app, 'reports.send', report, newBrowser())).number;
};
const order = (verb: string, number: string, by: string, reason = 'It shows her.') =>
  runReports(app.engines, { verb, number, by, reason });
const mine = async (browser = creator) => (await must(app, 'reports.mine', {}, browser)).reports;
const text = 'It shows me alone, and I made it myself.';
const respond = (number: string, kind: string, more: object = {}, browser = creator) =>
  app.call('reports.respond', { number, kind, text, ...more }, browser);
const counterNotice = { name: 'Mia Example', postalAddress: '1 Example Street, Springfield', isUnderPenalty: true };
const opens = async ({ slug }: { slug: string }) => {
  const { pictures, refusal } = await shared.viewerApi.tap(slug, {}, newBrowser());
  return refusal?.reason ?? pictures.length;
};
const emailsTo = async (address: string) =>
  (await app.engines.database.work({ kind: 'system' }, (tx) => listEmails(tx, 100))).filter(({ to }) => to === address);
const templatesTo = async (address: string) => (await emailsTo(address)).map(({ template }) => template).sort();

describe('what a creator is told of a report', () => {
  it('is what was closed, why, how it came to it and until when; who reported it only of copyright', async () => {
    expect(await mine()).toEqual([]);
    const link = await shared.makeLink({}, { linkName: 'For Ben' });
    const number = await send(link.slug);
    const [hidden] = await mine();
    expect(hidden).toMatchObject({
      number,
      kind: 'intimate',
      state: 'hidden',
      linkName: 'For Ben',
      wasHiddenAtOnce: true,
      heldItems: 2,
      reporterName: null,
      reason: null,
      open: ['answer'],
      answers: [],
    });
    expect(JSON.stringify(hidden)).not.toMatch(/Ana|second photo/);
    await order('remove', number, 'First Desk');
    expect((await mine())[0]).toMatchObject({
      state: 'removed',
      reason: 'It shows her.',
      open: ['appeal'],
      appealUntil: '2026-12-07T12:00:00.000Z',
    });
    await showMedia();
    const copyright = await send((await shared.makeLink()).slug, 'copyright');
    expect(await mine(), 'it closed nothing yet').toHaveLength(1);
    await order('hide', copyright, 'First Desk');
    expect((await mine()).find((one: { kind: string }) => one.kind === 'copyright')).toMatchObject({
      wasHiddenAtOnce: false,
      reporterName: 'Ana Example',
      notice: 'The second photo shows me, and I never agreed.',
    });
  });

  it('is nothing of anybody else, and nobody else answers', async () => {
    const number = await send((await shared.makeLink()).slug);
    const stranger = await signUpCreator(app);
    expect(await mine(stranger.browser)).toEqual([]);
    expect((await respond(number, 'answer', {}, stranger.browser)).status).toBe(404);
    expect((await respond('12345678', 'answer', {}, stranger.browser)).status).toBe(404);
    expect((await respond(number, 'answer', {}, newBrowser())).status).toBe(401);
    expect(await readRows(app, 'select 1 from report_answers')).toEqual([]);
  });
});

describe('an answer before the decision', () => {
  it('reaches whoever decides, once, and changes nothing by itself', async () => {
    const link = await shared.makeLink();
    const number = await send(link.slug);
    expect((await respond(number, 'appeal')).body.code).toBe('CONFLICT');
    const [first, second] = await Promise.all([respond(number, 'answer'), respond(number, 'answer')]);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect((await mine())[0]).toMatchObject({ open: [], answers: [{ kind: 'answer', text }] });
    expect((await templatesTo(operatorEmail)).filter((template) => template === 'report_answered')).toHaveLength(1);
    expect(await order('show', number, '')).toContain(text);
    expect(await opens(link)).toBe('TAKEN_DOWN');
  });
});

describe('an appeal', () => {
  it('is decided by somebody else; restored, everything opens and both sides hear why', async () => {
    const link = await shared.makeLink();
    const number = await send(link.slug);
    await order('remove', number, 'First Desk');
    expect((await respond(number, 'appeal')).body.report).toMatchObject({ state: 'appealed', open: [] });
    expect(await opens(link)).toBe('TAKEN_DOWN');
    expect(await order('show', number, '')).toContain('an appeal of the creator');
    expect(
      await runReports(app.engines, { verb: undefined, number: undefined, by: undefined, reason: undefined }),
    ).toBe(`  ${number}  decide by 2026-12-07 12:00  an appeal`);
    await expect(order('restore', number, ' first desk')).rejects.toThrow('Someone else decides about the appeal');
    await expect(order('restore', number, '')).rejects.toThrow('Say who decides');
    await order('restore', number, 'Second Desk', 'It shows the creator.');
    expect(await opens(link)).toBe(2);
    expect((await mine())[0]).toMatchObject({
      state: 'restored',
      open: [],
      answers: [{ kind: 'appeal', outcome: 'restored', reason: 'It shows the creator.' }],
    });
    expect(await templatesTo(reporter)).toEqual(['report_decided', 'report_number', 'report_reversed']);
    expect(await templatesTo(shared.creator.email)).toContain('appeal_decided');
    await expect(order('restore', number, 'Second Desk')).rejects.toThrow('No appeal of report');
  });

  it('is possible for fourteen days, once', async () => {
    const number = await send((await shared.makeLink()).slug);
    await order('remove', number, 'First Desk');
    advance(app, 14 * dayMs - minuteMs);
    expect((await respond(number, 'appeal')).status).toBe(200);
    await order('uphold', number, 'Second Desk');
    expect((await mine())[0]).toMatchObject({ state: 'removed', open: [], answers: [{ outcome: 'kept' }] });
    await showMedia();
    const other = await send((await shared.makeLink()).slug);
    await order('remove', other, 'First Desk');
    advance(app, 14 * dayMs);
    creator = await signInQuickly(app, shared.creator.userId);
    expect((await respond(other, 'appeal')).body.code).toBe('CONFLICT');
  });
});

describe('a counter-notice', () => {
  const remove = async (kind: string) => {
    const link = await shared.makeLink();
    const number = await send(link.slug, kind);
    await order('remove', number, 'First Desk');
    return { link, number };
  };

  it('is for copyright alone, is signed, and is mailed to whoever reported it', async () => {
    const intimate = await remove('intimate');
    expect((await respond(intimate.number, 'counter_notice', counterNotice)).body.code).toBe('CONFLICT');
    await showMedia();
    const { number } = await remove('copyright');
    expect((await respond(number, 'counter_notice', { ...counterNotice, name: '' })).body.data.field).toBe('name');
    expect((await respond(number, 'counter_notice', { ...counterNotice, isUnderPenalty: false })).status).toBe(422);
    expect((await respond(number, 'counter_notice', counterNotice)).status).toBe(200);
    const told = (await emailsTo(reporter)).find(({ template }) => template === 'counter_notice');
    for (const words of [text, 'Mia Example', '1 Example Street', number]) expect(told?.text).toContain(words);
  });

  it('opens it after ten working days, unless whoever reported it has gone to court', async () => {
    const { link, number } = await remove('copyright');
    await respond(number, 'counter_notice', counterNotice);
    app.setNow('2026-12-07T11:59:59Z');
    await endCounterNotices(app.engines);
    expect(await opens(link)).toBe('TAKEN_DOWN');
    app.setNow('2026-12-07T12:00:00Z');
    await endCounterNotices(app.engines);
    await endCounterNotices(app.engines);
    expect(await opens(link)).toBe(2);
    expect((await templatesTo(reporter)).filter((template) => template === 'report_reversed')).toHaveLength(1);

    const other = await remove('copyright');
    await respond(other.number, 'counter_notice', counterNotice);
    await order('uphold', other.number, 'Second Desk', 'They have gone to court.');
    advance(app, 30 * dayMs);
    await endCounterNotices(app.engines);
    expect(await opens(other.link)).toBe('TAKEN_DOWN');
  });
});

it('the operator is reminded twelve hours before the time of a report is over, and when it is over, once each', async () => {
  const number = await send((await shared.makeLink()).slug);
  const reminders = async () => {
    await remindOfReports(app.engines);
    await remindOfReports(app.engines);
    const emails = (await emailsTo(operatorEmail)).filter(({ template }) => template === 'reports_due');
    return emails.map((email) => email.text.includes(number) && email.text.includes('should have been decided')).sort();
  };
  advance(app, 36 * hourMs - minuteMs);
  expect(await reminders()).toEqual([]);
  advance(app, minuteMs);
  expect(await reminders()).toEqual([false]);
  advance(app, 12 * hourMs);
  expect(await reminders()).toEqual([false, true]);
  await order('reject', number, 'First Desk');
  advance(app, 12 * hourMs);
  expect(await reminders()).toEqual([false, true]);
});
