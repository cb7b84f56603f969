import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { PaymentRefused, PaymentsAway } from '#engines/payments/payments.ts';
import { withObjectLock } from '#features/books/object-lock.ts';
import { type Asked, askAtLink, payFor, takeRequests } from '#tests/support/money/requests.ts';
import { connectPayouts } from '#tests/support/money/selling.ts';
import { must, readRow, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { dropRefused } from './releases-store.ts';
import { releaseLock, runReleases } from './releasing.ts';

const error = vi.fn();
let app: TestApp;
let shared: SharedAlbum;
let own: TestApp['engines']['payments']['release'];

beforeAll(async () => {
  app = await openTestApp({ workJobs: false, log: { info: () => undefined, warn: () => undefined, error } });
  app.engines.sandbox?.deliverTo(undefined);
  own = app.engines.payments.release;
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
  await takeRequests(app, shared.creator);
});
beforeEach(() => error.mockClear());
afterEach(() => {
  app.engines.payments.release = own;
});
afterAll(() => app.close());

const refusal = () => new PaymentRefused('unknown', 'No such account.');
const drop = ({ id }: Asked) => app.engines.database.work({ kind: 'system' }, (tx) => dropRefused(tx, id));

/** Work that was accepted, and whose release the provider has refused. */
async function refused(): Promise<Asked> {
  const asked = await askAtLink(app, shared);
  await must(app, 'requests.accept', { requestId: asked.id, days: 7 }, shared.creator.browser);
  await payFor(app, asked);
  await must(app, 'requests.deliver', { requestId: asked.id, albumId: shared.albumId }, shared.creator.browser);
  app.engines.payments.release = () => Promise.reject(refusal());
  await must(app, 'requests.say', { code: asked.code, what: 'accept' }, asked.browser);
  return asked;
}

it('what was refused once is not taken for refused while the provider is asked again, nor when it does not answer', async () => {
  const asked = await refused();
  const found: boolean[] = [];
  app.engines.payments.release = async (release) => {
    found.push(await drop(asked));
    await own(release);
    throw new PaymentsAway('a test');
  };
  await runReleases(app.engines, asked.id);
  expect([...found, await drop(asked)]).toEqual([false, false]);
  app.engines.payments.release = own;
  await runReleases(app.engines, asked.id);
  const row = await readRow(app, 'select state, refused_why from held_releases where request_id = $1', [asked.id]);
  expect(row).toEqual({ state: 'done', refused_why: null });
  expect(error).not.toHaveBeenCalled();
});

it('whoever waits for the provider reads its answer', async () => {
  const asked = await refused();
  const waiting: Promise<boolean>[] = [];
  app.engines.payments.release = () => {
    waiting.push(withObjectLock(app.engines, releaseLock(asked.id), () => drop(asked)));
    return Promise.reject(refusal());
  };
  await runReleases(app.engines, asked.id);
  expect(await Promise.all(waiting)).toEqual([true]);
});

it('what was sent though nobody wants it sent any more is an error', async () => {
  const asked = await refused();
  app.engines.payments.release = async (release) => {
    const sent = await own(release);
    await readRows(app, 'delete from held_releases where request_id = $1', [asked.id]);
    return sent;
  };
  await runReleases(app.engines, asked.id);
  const about = expect.objectContaining({ requestId: asked.id, transferId: expect.any(String) });
  expect(error).toHaveBeenCalledWith(about, expect.stringContaining('nobody wants it sent'));
});
