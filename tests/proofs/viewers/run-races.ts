import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { paintJpeg } from '#tests/support/media/paint.ts';
import { uploadMetadata } from '#tests/support/media/send-file.ts';
import { readEmail, readRows } from '#tests/support/people.ts';
import type { Sockets } from '#tests/support/servers/sockets.ts';
import type { SharedAlbum } from '#tests/support/shared-link.ts';
import { elsewhere, headersOf, newBrowser, type TestApp } from '#tests/support/test-app.ts';

/** Where races are run. */
export interface Race extends Pick<Sockets, 'call' | 'viewerApi'> {
  app: TestApp;
  shared: SharedAlbum;
  /** As many at the same moment. */
  many: number;
  /** One race: something that many want at once, and exactly so many get. */
  note(sent: number): void;
}

/** The same call by many at the same moment, each from a browser with the same cookies. */
export const atOnce = <T>(count: number, ask: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => ask(n)));
export const succeeded = (answers: readonly { status: number }[]) =>
  answers.filter(({ status }) => status === 200).length;
/** Bugs; a machine that is too busy says 503, which lets nobody in either. */
export const failed = (answers: readonly { status: number }[]) =>
  answers.filter(({ status }) => status >= 500 && status !== 503).length;
export const countRows = async (app: TestApp, text: string, values: unknown[]) =>
  Number((await readRows(app, text, values))[0]?.n);

let addresses = 0;
/** An address of its own: a network that tries very often is made to wait. */
export const newAddress = () => ({ address: `10.77.${(++addresses >> 8) & 255}.${addresses & 255}` });

/** Lets many strangers tap a new link at once. @returns how many got in by their answers and by the rows, and the bugs */
export async function crowdOnto({ app, shared, viewerApi, many, note }: Race, rules: object) {
  const { id, slug } = await shared.makeLink(rules);
  const answers = await atOnce(many, () => viewerApi.tap(slug, { firstScreen: 0 }, newBrowser()));
  note(many);
  const seated = await countRows(app, 'select count(*) n from link_viewers where link_id = $1', [id]);
  return { letIn: answers.filter(({ head }) => head !== undefined).length, seated, failed: failed(answers) };
}

/** Lets one viewer tap on many screens at once who may come one more time. @returns how many visits began, and the bugs */
export async function tapTogether({ shared, viewerApi, many, note }: Race, secret: string) {
  const { slug } = await shared.makeLink({ maxVisits: 1 });
  const viewer = newBrowser();
  viewer.cookies.set('pf_viewer', secret);
  const answers = await atOnce(many, () => viewerApi.tap(slug, { firstScreen: 0 }, elsewhere(viewer)));
  note(many);
  return [new Set(answers.flatMap(({ head }) => head?.visitId ?? [])).size, failed(answers)];
}

/** Lets many confirm one address by the same email. @returns how many came in, how many sessions there are, the bugs and other codes */
export async function confirmTogether({ app, call, many, note }: Race, how: 'token' | 'code', email: string) {
  const asking = newBrowser();
  await call('accounts.signUp', { email, isAdult: true }, asking);
  const mail = await readEmail(app, email);
  const answers = await atOnce(many, () =>
    call('accounts.confirm', { [how]: mail[how] }, { ...elsewhere(asking), ...newAddress() }),
  );
  note(many);
  const known = ['GONE', 'CONFLICT', 'VALIDATION', 'RATE_LIMITED', 'UNAVAILABLE'];
  const codes = answers.flatMap(({ status, body }) => (status === 200 ? [] : [body.code]));
  const owners = 'select count(*) n from auth_sessions s join users u on u.id = s.user_id where u.email = $1';
  const sessions = await countRows(app, owners, [email]);
  return {
    cameIn: succeeded(answers),
    sessions,
    failed: failed(answers),
    odd: codes.filter((code) => !known.includes(code)),
  };
}

/** Lets many change a new link who all saw the same version. */
export async function changeTogether({ shared, call, many, note }: Race) {
  const { creator, makeLink } = shared;
  const { id } = await makeLink();
  const { policyVersion } = (await call('links.one', { linkId: id }, creator.browser)).body;
  const answers = await atOnce(many, (n) =>
    call(
      'links.update',
      { linkId: id, policyVersion, rules: { maxViewers: n + 1, ageGate: false } },
      elsewhere(creator.browser),
    ),
  );
  note(many);
  const odd = answers.filter(({ status }) => ![200, 409, 503].includes(status)).length;
  return { changed: succeeded(answers), failed: failed(answers), odd };
}

/** Revokes, brings back and extends one new link, all at once. @returns what is wrong with how it ends, in words */
export async function revokeTogether({ app, shared, call, many, note }: Race): Promise<string[]> {
  const { creator, makeLink } = shared;
  const { id } = await makeLink();
  const answers = await atOnce(many, (n) => {
    const browser = elsewhere(creator.browser);
    if (n % 3 === 0) return call('links.revoke', { linkIds: [id] }, browser);
    if (n % 3 === 1) return call('links.undoRevoke', { linkIds: [id] }, browser);
    return call('links.extend', { linkIds: [id], expiry: { kind: 'never' } }, browser);
  });
  note(many);
  const [link] = await readRows(app, 'select is_revoked, revoked_at from magic_links where id = $1', [id]);
  const deeds = await readRows(
    app,
    "select action from audit_log where target_id = $1 and action in ('link.revoked', 'link.revived') order by id",
    [id],
  );
  const actions = deeds.map(({ action }) => action);
  const faults: Record<string, boolean> = {
    'a call failed': failed(answers) > 0,
    'the audit tells a deed twice': actions.some((action, n) => action === actions[n - 1]),
    'the audit ends otherwise than the link': (actions.at(-1) === 'link.revoked') !== link?.is_revoked,
    'the link is half revoked': (link?.revoked_at !== null) !== link?.is_revoked,
  };
  return Object.keys(faults).filter((fault) => faults[fault]);
}

const tus = { 'tus-resumable': '1.0.0', origin: 'http://localhost:3000' };

/** Sends the last piece of a new file many times at once. @returns the bugs, and what became of it */
export async function sendTogether({ app, shared, viewerApi, note }: Race) {
  const { creator, albumId } = shared;
  const bytes = await paintJpeg(5, 320, 240);
  const cookies = headersOf(creator.browser);
  const begun = await fetch(`${viewerApi.url}/files`, {
    method: 'POST',
    headers: {
      ...tus,
      ...cookies,
      'upload-length': String(bytes.length),
      'upload-metadata': uploadMetadata({ albumId }),
    } as Record<string, string>,
  });
  expect([begun.status, await begun.text()]).toEqual([201, '']);
  const at = begun.headers.get('location') ?? '';
  const sending = { ...tus, ...cookies, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
  const answers = await atOnce(12, async (n) => {
    await wait(n % 4);
    const init = { method: 'PATCH', headers: sending as Record<string, string>, body: new Uint8Array(bytes) };
    const answer = await fetch(`${viewerApi.url}${at}`, init);
    await answer.arrayBuffer();
    return answer;
  });
  note(12);
  const id = at.split('/').at(-1);
  const count = (text: string) => countRows(app, text, [id]);
  await expect.poll(() => count('select count(*) n from media where id = $1')).toBeGreaterThan(0);
  return {
    failed: failed(answers),
    media: await count('select count(*) n from media where id = $1'),
    items: await count('select count(*) n from album_items where media_id = $1'),
    jobs: await count("select count(*) n from pgboss.job where data->>'mediaId' = $1"),
  };
}
