import { signUpCreator } from '#tests/support/people.ts';
import { seedAlbum } from '#tests/support/pictures.ts';
import { shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, type TestApp } from '#tests/support/test-app.ts';
import { seedVideo } from '#tests/support/videos.ts';
import { Listener, type LiveApp, look, signIn, watchOwnVideo, watchVideo } from './header-answers.ts';
import { beginUpload, call, get, openAsks, ownAsks } from './header-asks.ts';
import { hearCreator, hearOtherDoor, hearTraces, hearUploads } from './header-things.ts';
import { hearBugs, hearCrowd, hearSlow } from './header-trouble.ts';

/** Asks the live app for an answer of every kind, and of every route. */
export async function hearEverything(app: TestApp, live: LiveApp): Promise<Listener> {
  const shared = await shareAlbum(app, { count: 1 });
  const mediaId = shared.photos[0]?.mediaId ?? '';
  const { slug } = await shared.makeLink();
  const listener = new Listener(live);
  for (const ask of openAsks(slug)) await listener.ask(ask, newBrowser());
  const { headers } = await listener.ask(get('the door', `/view/${slug}`, 200, { kind: 'door' }), newBrowser());
  const known = { kind: 'door', headers: { 'if-none-match': headers.get('etag') ?? '' } } as const;
  await listener.ask(get('the door that has not changed', `/view/${slug}`, 304, known), newBrowser());
  const creator = await signIn(listener, shared.creator);
  for (const ask of ownAsks(shared.albumId, mediaId)) await listener.ask(ask, creator);
  await hearOtherDoor(listener, creator);
  await hearUploads(listener, shared.albumId, creator);
  await hearCreator(listener, creator);
  const slow = await listener.ask(beginUpload('another upload begun', shared.albumId, 4, 201), creator);
  await hearSlow(app, slow.headers.get('location') ?? '', creator, listener);
  await hearBugs(app, listener, creator);
  await hearCrowd(app, slug, listener);
  await look(listener, slug, mediaId);
  const video = await seedVideo(app, shared.creator.userId, { seconds: 2 });
  const videoAlbumId = await seedAlbum(app, shared.creator.userId, [video.mediaId], 'Videos');
  await watchVideo(listener, (await shared.makeLink({}, { albumIds: [videoAlbumId] })).slug, video.mediaId);
  await watchOwnVideo(listener, creator, video.mediaId);
  const leaving = await signIn(listener, await signUpCreator(app));
  await listener.ask(call('sign-out', 'accounts.signOut', {}), leaving);
  await hearTraces(listener);
  return listener;
}
