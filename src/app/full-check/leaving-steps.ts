import { noteViewers } from '#features/fullcheck/cleaning-store.ts';
import { deleteWord } from '#features/privacy/rules.ts';
import { describeAnswer } from './browser.ts';
import { eraseFully } from './clean-up.ts';
import type { Step } from './step.ts';
import { expectRefusal } from './tapping.ts';
import { made, type World } from './world.ts';

async function traceCopy(world: World): Promise<string> {
  const shown = made(world.shown, 'picture on a screen');
  const { browser } = made(world.creator, 'creator');
  const { id: albumId } = made(world.album, 'album');
  const { copy: payload } = shown;
  const headers = { 'content-type': 'application/octet-stream' };
  const answer = await browser.must('POST', `/api/traces?albumId=${albumId}`, { headers, payload });
  const { traceId } = JSON.parse(String(answer.bytes)) as { traceId: string };
  const trace = await world.until('The answer of the trace', async () => {
    const one = await browser.calls.tracing.one({ traceId });
    return one.state === 'done' || one.state === 'failed' ? one : undefined;
  });
  if (trace.state === 'failed') throw new Error(trace.failText ?? 'The copy could not be read.');
  const [link] = trace.links;
  if (link?.linkId !== shown.linkId)
    throw new Error(`The copy names ${link === undefined ? 'no link' : 'another link'}: ${trace.sentence ?? ''}`);
  return `It names the link that it was shown by: ${trace.outcome}, less than 1 in 10^${-link.chancePower}.`;
}

async function exportData(world: World): Promise<string> {
  const { browser, password } = made(world.creator, 'creator');
  const { privacy } = browser.calls;
  await privacy.requestExport({ hasOriginals: true });
  await world.until('The export', async () => {
    const { newest } = await privacy.showExport();
    if (newest?.failure !== null && newest !== null) throw new Error(`The export failed: ${newest.failure}.`);
    return newest?.state === 'ready' ? true : undefined;
  });
  const { path } = await privacy.openExport({ password });
  const { bytes } = await browser.must('GET', path);
  if (bytes.subarray(0, 2).toString() !== 'PK') throw new Error('What was downloaded is no zip file.');
  return `A zip file of ${bytes.length} bytes.`;
}

async function deleteAccount(world: World): Promise<string> {
  const { engines, checkId, links } = world;
  const { browser, userId, password } = made(world.creator, 'creator');
  await engines.database.work({ kind: 'system' }, (tx) => noteViewers(tx, checkId, userId));
  await browser.calls.privacy.deleteAccount({ password, confirmation: deleteWord });
  const { user } = await browser.calls.accounts.me();
  if (user !== null) throw new Error('The session goes on after the account was deleted.');
  const free = links.get('free');
  if (free !== undefined) await expectRefusal(world.openPhone(), free.slug, 'NOT_FOUND');
  await eraseFully(engines, userId);
  const again = await world.openPhone().ask('POST', '/rpc/accounts/signIn', {
    payload: { json: { email: world.addressOf('creator'), password } },
  });
  if (again.status !== 401) throw new Error(`Signing in was answered with ${describeAnswer(again)}`);
  return 'Keys, files and rows are gone, without the grace that people have.';
}

/** What a creator does with a copy that leaked. */
export const traceSteps: readonly Step[] = [
  { key: 'trace', title: 'A leaked copy is traced to its link', needs: ['open'], run: traceCopy },
];

/** What a creator does in the end. */
export const leavingSteps: readonly Step[] = [
  { key: 'export', title: 'The account is exported', needs: ['set_up'], run: exportData },
  { key: 'delete', title: 'The account is deleted, and erased', needs: ['set_up'], run: deleteAccount },
];
