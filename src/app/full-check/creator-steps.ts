import { findCode, noteCreator } from '#features/fullcheck/cleaning-store.ts';
import { newToken } from '#kit/ids.ts';
import { formatCount } from '#kit/text.ts';
import { drawPhoto, drawVideo } from './material.ts';
import type { Step } from './step.ts';
import { type Creator, made, type World } from './world.ts';

const system = { kind: 'system' } as const;

/** Reads the newest code that was written to somebody whom the check made up. @throws where no email stands in the outbox, or it left */
export async function readCode({ engines }: World, address: string): Promise<string> {
  const email = await engines.database.work(system, (tx) => findCode(tx, address));
  if (email?.code === undefined) throw new Error('No email with a code stands in the outbox.');
  if (email.state !== 'suppressed') throw new Error(`The email with the code is ${email.state}: it was to stay here.`);
  return email.code;
}

async function signUp(world: World): Promise<string> {
  const [browser, email] = [world.openPhone(), world.addressOf('creator')];
  await browser.calls.accounts.signUp({ email, isAdult: true });
  await browser.calls.accounts.confirm({ code: await readCode(world, email) });
  const { user } = await browser.calls.accounts.me();
  if (user === null) throw new Error('Nobody is signed in after the address was confirmed.');
  const creator: Creator = { browser, email, userId: user.id, password: newToken(22) };
  await world.engines.database.work(system, (tx) => noteCreator(tx, world.checkId, user.id));
  world.creator = creator;
  return 'The email with the code stood in the outbox and did not leave.';
}

async function setUp({ creator }: World): Promise<string> {
  const { browser, password, userId } = made(creator, 'creator');
  const { accounts } = browser.calls;
  await accounts.setUpPassword({ password });
  const handle = `check_${userId.slice(-12)}`;
  await accounts.setUpProfile({ displayName: 'Full check', handle, country: 'DE', timeZone: 'Europe/Berlin' });
  await accounts.setUpConsent({ birthDate: '1994-05-01', acceptsTerms: true, acceptsContentPolicy: true });
  await accounts.finishSetup();
  const me = await accounts.me();
  if (!me.hasAccess) throw new Error('The account is set up, and has no access.');
  return me.trialEndsAt === null ? '' : 'The trial has begun.';
}

async function makeAlbum(world: World): Promise<string> {
  const { browser } = made(world.creator, 'creator');
  const album = await browser.calls.albums.create({ name: 'Full check', peopleConsent: 'only_me' });
  world.album = { id: album.id };
  return '';
}

/** Uploads a file in one part, and waits until it is ready. @returns its medium's id */
async function upload(world: World, name: string, bytes: Buffer): Promise<string> {
  const { browser } = made(world.creator, 'creator');
  const { id: albumId } = made(world.album, 'album');
  const metadata = Object.entries({ albumId, filename: name })
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',');
  const headers = {
    'tus-resumable': '1.0.0',
    'upload-length': String(bytes.length),
    'upload-metadata': metadata,
    'content-type': 'application/offset+octet-stream',
  };
  const { headers: said } = await browser.must('POST', '/files', { headers, payload: bytes });
  const mediaId =
    String(said.location ?? '')
      .split('/')
      .at(-1) ?? '';
  return world.until('The upload', async () => {
    const { items } = await browser.calls.albums.one({ albumId });
    const item = items.find(({ id }) => id === mediaId);
    if (item?.state === 'failed') throw new Error(item.failText ?? 'It could not be made ready.');
    return item?.state === 'ready' ? mediaId : undefined;
  });
}

async function addPhoto(world: World): Promise<string> {
  const bytes = await drawPhoto(world);
  made(world.album, 'album').photoId = await upload(world, 'photo.jpg', bytes);
  return `${formatCount(bytes.length, 'byte', 'bytes')}.`;
}

async function addVideo(world: World): Promise<string> {
  const bytes = await drawVideo(world);
  made(world.album, 'album').videoId = await upload(world, 'video.avi', bytes);
  return 'Two seconds.';
}

/** What a creator does before anybody looks. */
export const creatorSteps: readonly Step[] = [
  { key: 'sign_up', title: 'A creator signs up and confirms the address', needs: [], run: signUp },
  { key: 'set_up', title: 'The account is set up', needs: ['sign_up'], run: setUp },
  { key: 'album', title: 'An album is made', needs: ['set_up'], run: makeAlbum },
  { key: 'photo', title: 'A photo is uploaded and made ready', needs: ['album'], run: addPhoto },
  { key: 'video', title: 'A video is uploaded and made ready', needs: ['album'], run: addVideo },
];
