import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dayMs } from '#kit/time.ts';
import { makeAdministrator, must, type Person, readRows, signInQuickly, signUpCreator } from '#tests/support/people.ts';
import { type Browser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { forgetOldNotes } from '../jobs.ts';

let app: TestApp;
let admin: Person;
let mia: Person;
let desk: Browser;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  app.setNow('2026-11-30T12:00:00Z');
  admin = await signUpCreator(app);
  await makeAdministrator(app, admin);
});
afterAll(() => app.close());
beforeEach(async () => {
  await readRows(app, `update user_roles set scopes = '{support}' where user_id = $1`, [admin.userId]);
  desk = await signInQuickly(app, admin.userId);
  mia = await signUpCreator(app);
});

const note = (text: string, noteId = randomUUID(), userId = mia.userId) =>
  app.call('adminUsers.addNote', { userId, noteId, text }, desk);
const notesOf = async ({ userId }: Person, browser = desk) =>
  (await must(app, 'adminUsers.show', { userId }, browser)).notes;

describe('a note about an account', () => {
  it('stands on its card with who wrote it, the newest first', async () => {
    await readRows(app, `update users set display_name = 'Ana' where id = $1`, [admin.userId]);
    await note('Asked for a new code.\nGot one.');
    app.setNow('2026-11-30T12:05:00Z');
    await note('Asked again.');
    expect(await notesOf(mia)).toMatchObject([
      { text: 'Asked again.', author: 'Ana', at: '2026-11-30T12:05:00.000Z' },
      { text: 'Asked for a new code.\nGot one.', author: 'Ana' },
    ]);
  });

  it('is one, however often it is sent, and the log has that it is there but not its words', async () => {
    const noteId = randomUUID();
    const answers = await Promise.all([1, 2, 3].map(() => note('Only once.', noteId)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await notesOf(mia)).toHaveLength(1);
    const logged = await readRows(
      app,
      `select action, actor_id, details from audit_log where target_id = $1 and action = 'account.noted'`,
      [mia.userId],
    );
    expect(logged).toEqual([{ action: 'account.noted', actor_id: admin.userId, details: { noteId } }]);
  });

  it('has letters, and 2,000 of them at most', async () => {
    expect([(await note(' ')).status, (await note('a'.repeat(2001))).status]).toEqual([422, 422]);
    expect((await note('a'.repeat(2000))).status).toBe(200);
  });

  it("is never about one's own account, nor read there by an administrator whom it is about", async () => {
    expect((await note('Well done.', randomUUID(), admin.userId)).status).toBe(403);
    const other = await signUpCreator(app);
    await makeAdministrator(app, other);
    expect((await note('Took a day off.', randomUUID(), other.userId)).status).toBe(403);
    await readRows(app, `update user_roles set scopes = '{owner}' where user_id = $1`, [admin.userId]);
    desk = await signInQuickly(app, admin.userId);
    expect((await note('Took a day off.', randomUUID(), other.userId)).status).toBe(200);
    expect(await notesOf(other)).toHaveLength(1);
    expect(await notesOf(other, await signInQuickly(app, other.userId))).toEqual([]);
  });

  it('is forgotten after two years', async () => {
    await note('Of long ago.');
    const { engines } = app;
    const forgetLater = (days: number) =>
      forgetOldNotes({ database: engines.database, clock: () => engines.clock() + days * dayMs });
    await forgetLater(729);
    expect(await notesOf(mia)).toHaveLength(1);
    await forgetLater(731);
    expect(await notesOf(mia)).toEqual([]);
  });
});
