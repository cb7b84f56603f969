import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { confirm, now, type Outbox, openOutbox, poll, system, to } from '#tests/support/outbox.ts';
import { requeueLost } from '../jobs.ts';
import { claimEmail, emailQueue, markEmailBounced, markEmailFailed, markEmailSent } from '../store.ts';

let box: Outbox;
afterEach(() => box.close());

/** An email without a job. */
async function writeEmail(): Promise<string> {
  const id = randomUUID();
  const about = { template: 'confirm', recipient: to, subject: confirm.subject, body_text: confirm.text };
  await box.database.work(system, ({ db }) =>
    db
      .insertInto('mail_outbox')
      .values({ id, ...about, created_at: now })
      .execute(),
  );
  return id;
}

const sendJobs = (id: string, count: number) =>
  box.database.work(system, async (tx) => {
    for (let n = 0; n < count; n++) await box.engines.jobs.send(tx, emailQueue, { letterId: id });
  });
const run = (text: string) => box.database.work(system, ({ client }) => client.query(text));
const jobStates = async () => (await box.engines.jobs.counts()).map(({ state, count }) => `${state} ${count}`);

describe('an email with several jobs', () => {
  it('is tried by one of them, which leaves one job for the next try', async () => {
    box = await openOutbox();
    box.refusal = new Error('451 try again later');
    await sendJobs(await writeEmail(), 4);
    await poll(jobStates).toEqual(['completed 4', 'created 1']);
    expect((await box.list())[0]?.tries).toBe(1);
  });

  it('is sent once by two at the same time', async () => {
    box = await openOutbox();
    const gate = Promise.withResolvers<void>();
    let begun = 0;
    box.engines.mail.send = () => {
      begun += 1;
      return gate.promise;
    };
    await sendJobs(await writeEmail(), 2);
    const isDecided = async () => begun === 2 || (await jobStates()).includes('completed 1');
    await poll(isDecided).toBe(true);
    gate.resolve();
    await poll(jobStates).toEqual(['completed 2']);
    expect([begun, await box.stateOf()]).toEqual([1, 'sent']);
  });

  it('stays as it was sent, whatever a late try says', async () => {
    box = await openOutbox({ workJobs: false });
    const id = await writeEmail();
    await box.database.work(system, async (tx) => {
      await markEmailSent(tx, id, { now, keepText: true });
      expect(await markEmailFailed(tx, id, { words: 'late', pauseSeconds: 30, isOurs: true })).toBe(false);
      await markEmailBounced(tx, id, { words: 'late', keepText: false });
    });
    expect((await box.list())[0]).toMatchObject({ state: 'sent', tries: 1, lastError: null, text: confirm.text });
  });

  it('is due again when whoever claimed it has died', async () => {
    box = await openOutbox({ workJobs: false });
    const id = await writeEmail();
    const claim = () => box.database.work(system, (tx) => claimEmail(tx, id));
    expect(await claim()).toMatchObject({ id, text: confirm.text });
    expect(await claim()).toBeUndefined();
    // The time of the claim and the wait for a lost job.
    await run(`update mail_outbox set next_try_at = next_try_at - interval '6 minutes'`);
    await requeueLost(box.engines);
    expect(await jobStates()).toEqual(['created 1']);
    expect(await claim()).toMatchObject({ id });
  });

  it('is not lost while the queue is long, and is given no further job', async () => {
    box = await openOutbox({ workJobs: false });
    await box.queue();
    const ago = `now() - interval '20 minutes'`;
    await run(`update mail_outbox set next_try_at = ${ago}`);
    await run(`update pgboss.job set created_on = ${ago}, start_after = ${ago}`);
    for (let n = 0; n < 3; n++) await requeueLost(box.engines);
    expect(await jobStates()).toEqual(['created 1']);
    expect(box.logged).toEqual([]);
  });
});
