import { setTimeout as wait } from 'node:timers/promises';
import { comeAgain, drawNoise, untilGiven, type Visitor, visit } from '#tests/support/servers/visitor.ts';
import { type Browser, headersOf, newBrowser } from '#tests/support/test-app.ts';
import { openTile } from '#tests/support/viewer-api.ts';
import type { Machine } from './turned-machine.ts';

const who = { email: 'turned@example.com', password: 'three calm rivers' };

/** A creator on a machine whose clock turns, and whoever looks at her photos. */
export interface People {
  visitor: Visitor;
  /** Returns whether the session of her browser lives. */
  isSignedIn(): Promise<boolean>;
  signIn(): Promise<void>;
  /** Sends photos and does not wait for what becomes of them. @returns their ids */
  sendPhotos(count: number): Promise<void>;
  /** What is wrong with her photos once all are made: each is to be ready, once, and listed once. */
  findWrongPhotos(): Promise<string[]>;
  /** A screen that looks at a photo through a new link. */
  openScreen(expiry: Expiry): Promise<Screen>;
  revoke(screen: Screen): Promise<void>;
  /** Returns what is not noted as it was done: links that her list does not name once, revocations that the audit log does not. */
  findMisnoted(): Promise<string[]>;
  /** Calls so far. */
  readonly requests: number;
}

type Expiry = { kind: 'after'; hours: number } | { kind: 'never' };
export const anHour: Expiry = { kind: 'after', hours: 1 };
export const never: Expiry = { kind: 'never' };

/** A screen as it was opened once: its visit and the token of its lease. */
export interface Screen {
  linkId: string;
  slug: string;
  /** Returns what it is given now, of what it has: the bytes of its lease, keys, a renewal; then the door, to its viewer and to others. */
  findGiven(): Promise<Given[]>;
}
export type Given = 'bytes' | 'keys' | 'a renewal' | 'the door' | 'the door for others';
export const all: readonly Given[] = ['bytes', 'keys', 'a renewal', 'the door', 'the door for others'];

/** Tries again as an uploader does while the machine is too busy. */
async function again<T>(send: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await send();
    } catch (error) {
      if (tries === 20) throw error;
      await wait(1000);
    }
}

/** Sends a photo as her browser does, each step until it is taken. */
async function sendPhoto(visitor: Visitor, creator: Browser, albumId: string): Promise<void> {
  const photo = await drawNoise(600, 400);
  const uploadId = await again(() => visitor.beginUpload(creator, albumId, photo));
  await again(async () => {
    const offset = await visitor.offsetOf(creator, uploadId);
    return visitor.sendFrom(creator, uploadId, photo, offset);
  });
}

/** What is wrong with the photos that an album lists, of which so many were sent. */
async function findWrongPhotos(
  machine: Machine,
  items: readonly { id: string; state: string }[],
  sent: number,
): Promise<string[]> {
  const packs = await machine.rowsOf<{ id: string; n: number; kinds: number }>(
    'select media_id as id, count(*)::int as n, count(distinct rendition)::int as kinds from packs group by 1',
  );
  return [
    ...items.flatMap(({ id, state }) => (state === 'ready' ? [] : [`photo ${id} is ${state}`])),
    ...packs.flatMap(({ id, n, kinds }) => (n === 2 && kinds === 2 ? [] : [`photo ${id} has ${n} packs`])),
    ...(new Set(items.map(({ id }) => id)).size === sent ? [] : [`${items.length} of ${sent} photos are listed`]),
    ...(await machine.findUntidy()),
  ];
}

/** What is not as it was done: of the links that are listed, and of the revocations that the audit log notes. */
async function findMisnoted(
  machine: Machine,
  links: readonly { id: string }[],
  { linkIds, takenIds }: { linkIds: readonly string[]; takenIds: readonly string[] },
): Promise<string[]> {
  const noted = await machine.rowsOf<{ id: string }>(
    `select target_id as id from audit_log where action = 'link.revoked' order by id`,
  );
  const listed = linkIds.filter((id) => links.filter((link) => link.id === id).length === 1);
  return [
    ...(listed.length === linkIds.length ? [] : [`${listed.length} of ${linkIds.length} links are listed once`]),
    ...(noted.map(({ id }) => id).join() === takenIds.join() ? [] : ['what was taken back is noted otherwise']),
  ];
}

/** A creator by the real way, with an album and a photo that is ready; her trial does not end with the clock. */
export async function settle(machine: Machine): Promise<People> {
  const visitor = visit(machine);
  await machine.start('web');
  const creator = await visitor.signUp(who.email);
  const { id: albumId } = await visitor.must('albums.create', { name: 'Turned', peopleConsent: 'only_me' }, creator);
  await machine.rowsOf('update users set is_free_user = true');
  await machine.stop();
  await machine.start('all');
  let [requests, photos] = [0, 0];
  const [linkIds, takenIds]: [string[], string[]] = [[], []];
  const people: People = {
    visitor,
    get requests() {
      return requests;
    },
    async isSignedIn() {
      requests++;
      return (await visitor.must('accounts.me', {}, creator)).user != null;
    },
    signIn: async () => void (await visitor.must('accounts.signIn', who, creator)),
    async sendPhotos(count) {
      for (let n = 0; n < count; n++) {
        await sendPhoto(visitor, creator, albumId);
        photos++;
      }
    },
    async findWrongPhotos() {
      // What is still waiting then is told as it is.
      await visitor.untilSettled(creator, albumId).catch(() => undefined);
      const { items } = (await visitor.must('albums.one', { albumId }, creator)) as {
        items: { id: string; state: string }[];
      };
      requests += photos;
      return findWrongPhotos(machine, items, photos);
    },
    async openScreen(expiry) {
      const params = { albumIds: [albumId], rules: { ageGate: false }, isLaxConfirmed: true, expiry };
      const link = await visitor.must('links.create', params, creator);
      linkIds.push(link.id);
      requests += 3;
      return look(visitor, link, (n) => {
        requests += n;
      });
    },
    async revoke({ linkId }) {
      await visitor.must('links.revoke', { linkIds: [linkId] }, creator);
      takenIds.push(linkId);
    },
    async findMisnoted() {
      const { links } = (await visitor.must('links.list', {}, creator)) as { links: { id: string }[] };
      return findMisnoted(machine, links, { linkIds, takenIds });
    },
  };
  return people;
}

/** Opens a link as somebody new, and takes a lease of its first photo. */
async function look(
  { viewerApi, call }: Visitor,
  { id: linkId, slug }: { id: string; slug: string },
  count: (requests: number) => void,
): Promise<Screen> {
  const viewer = newBrowser();
  const opened = await untilGiven(() => viewerApi.tap(slug, { firstScreen: 1 }, viewer));
  const { visitId, items } = opened.head;
  const wanted = [{ mediaId: items[0].mediaId, rendition: 'p2048' }];
  const borrow = () => comeAgain(() => viewerApi.lease(visitId, wanted, viewer));
  const { leases } = (await borrow()).head;
  const fetchBytes = async ({ url, token }: { url: string; token: string }) => {
    const answer = await fetch(`${viewerApi.url}${url}`, { headers: { ...headersOf(viewer), 'pf-lease': token } });
    await answer.arrayBuffer();
    return answer.ok;
  };
  const tap = async (by = newBrowser()) => {
    const { pictures } = await comeAgain(() => viewerApi.tap(slug, { firstScreen: 1 }, by));
    // Keys that open nothing are no keys.
    for (const { pack, keys } of pictures) openTile(pack, keys, 0);
    return pictures.length > 0;
  };
  /** A renewal is one whose new token gets the bytes of the old one. */
  const renew = async () => {
    const input = { visitId, samples: [], idleMs: 0, tokensFor: [leases[0].leaseId] };
    const { status, body } = await comeAgain(() => call('viewing.renew', input, viewer));
    return status === 200 && (await fetchBytes({ ...leases[0], token: body.tokens[leases[0].leaseId] }));
  };
  return {
    linkId,
    slug,
    async findGiven() {
      count(5);
      const given: Record<Given, boolean> = {
        bytes: await fetchBytes(leases[0]),
        keys: (await borrow()).pictures.length > 0,
        'a renewal': await renew(),
        'the door': await tap(viewer),
        'the door for others': await tap(),
      };
      return all.filter((one) => given[one]);
    },
  };
}
