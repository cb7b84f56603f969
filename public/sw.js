/*
 * The studio's service worker. It shows what the server pushes and opens what was tapped; it keeps the studio's program, so that
 * the app opens without a connection, and takes what a gallery shares. A push says as much as a lock screen may show:
 * { title, body, path, tag }. Whatever belongs to somebody is left alone: it is neither answered here nor kept.
 */
self.addEventListener('push', (event) => {
  const { title = 'PrivateFans', body = '', path = '/', tag = '' } = readPush(event.data);
  // What comes twice takes the place of what is shown under its tag.
  event.waitUntil(self.registration.showNotification(title, { body, tag, data: { path } }).then(countOnIcon));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data?.path));
});

/** A push that cannot be read is still shown: a browser ends the subscription of who shows nothing. */
function readPush(data) {
  try {
    return data?.json() ?? {};
  } catch {
    return {};
  }
}

/** The number on the app's icon is that of what waits to be read; the app takes it away when it is opened. */
async function countOnIcon() {
  const shown = await self.registration.getNotifications();
  await navigator.setAppBadge?.(shown.length).catch(() => undefined);
}

/** Brings a page that is open already to the front, or opens one; never one of another site. */
async function openPage(path) {
  const address = new URL(typeof path === 'string' ? path : '/', self.location.origin);
  if (address.origin !== self.location.origin) return;
  const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const studio = open.find((client) => new URL(client.url).pathname.startsWith('/view/') === false);
  if (studio !== undefined && (await goByItself(studio, address))) return void (await studio.focus());
  await self.clients.openWindow(address.href);
}

/** A tap allows a window to be opened for a few seconds only; a page that works answers at once. */
const answerMs = 500;

/**
 * Asks a page to go to an address by itself: loaded anew it would lose the files that it is sending.
 * @returns whether it has answered; a page that the server wrote does not
 */
function goByItself(client, { pathname, search }) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(true);
    setTimeout(() => resolve(false), answerMs);
    client.postMessage({ kind: 'go', path: pathname + search }, [port2]);
  });
}

/** What a viewer opens, calls, keys, bytes and uploads. */
const leftAlone = /^\/(view|preview|m|rpc|api|files)(\/|$)/;
/** Pages of the studio: one frame for all of them, in which nothing is anybody's. */
const ofStudio = /^\/(albums|magic-links|analytics|profile)(\/|$)/;
const programCache = 'pf-program';
const sharedCache = 'pf-shared';
const frameAddress = '/albums';
const partsMax = 200;
/** As many files are taken at once from what is shared, and as many bytes. */
const sharedMax = 500;
const sharedBytesMax = 8 * 2 ** 30;

self.addEventListener('install', (event) => {
  event.waitUntil(keepFrame(fetch(frameAddress, { credentials: 'omit', cache: 'no-store' })));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin || leftAlone.test(pathname)) return;
  if (isShare(request, pathname)) return event.respondWith(takeShared(request));
  if (request.method !== 'GET') return;
  if (pathname.startsWith('/assets/')) return event.respondWith(findPart(request));
  if (request.mode === 'navigate') event.respondWith(openDocument(event, pathname));
});

/** A page comes from the server; without a connection the studio's frame stands there and says so. */
async function openDocument(event, pathname) {
  try {
    const answer = await fetch(event.request);
    if (ofStudio.test(pathname) && answer.status === 200) event.waitUntil(keepFrame(answer.clone()));
    return answer;
  } catch (error) {
    const frame = await caches.match(frameAddress);
    if (frame === undefined) throw error;
    return frame;
  }
}

/** Keeps the frame with the parts of the program that it names, when it is not the one that is kept. */
async function keepFrame(coming) {
  const frame = await coming;
  if (!frame.ok || frame.redirected) return;
  const program = await caches.open(programCache);
  const [text, kept] = [await frame.clone().text(), await (await program.match(frameAddress))?.text()];
  if (text === kept) return;
  const parts = new Set(text.match(/\/assets\/[\w.-]+/g));
  await Promise.all([...parts].map((part) => findPart(new Request(part))));
  await program.put(frameAddress, frame);
}

/** A part of the program has its content in its name: what is kept is never old. The first that were kept go when there are many. */
async function findPart(request) {
  const kept = await caches.match(request, { cacheName: programCache });
  if (kept !== undefined) return kept;
  const part = await fetch(request);
  // Signing out has taken everything away; it is kept again from the next page of the studio on.
  if (part.status !== 200 || !(await caches.has(programCache))) return part;
  const program = await caches.open(programCache);
  await program.put(request, part.clone());
  const parts = (await program.keys()).filter(({ url }) => new URL(url).pathname !== frameAddress);
  await Promise.all(parts.slice(0, Math.max(0, parts.length - partsMax)).map((old) => program.delete(old)));
  return part;
}

/** A gallery shares by a form that becomes a page of its own. */
const isShare = ({ method, mode, destination }, pathname) =>
  method === 'POST' && pathname === '/share-target' && mode === 'navigate' && destination === 'document';

/** Whether a form says that another site's page has sent it. One that keeps it to itself looks like a gallery. */
const isForeign = ({ headers, referrer }) =>
  [headers.get('origin') ?? '', referrer].some(
    (said) => /^https?:/.test(said) && new URL(said).origin !== self.location.origin,
  );

/** Puts what was shared where the studio finds it, and goes there: into which album it comes, if any, is asked there. */
async function takeShared(request) {
  const files = isForeign(request) ? [] : chooseShared((await request.formData()).getAll('media'));
  if (files.length === 0) return Response.redirect('/albums', 303);
  await caches.delete(sharedCache);
  const shared = await caches.open(sharedCache);
  for (const [at, file] of files.entries()) {
    const headers = { 'content-type': file.type, 'pf-name': encodeURIComponent(file.name) };
    await shared.put(`/share-target/${at}`, new Response(file, { headers }));
  }
  return Response.redirect(`/albums?shared=${files.length}`, 303);
}

/** Photos and videos, as many as may come at once. */
function chooseShared(given) {
  let bytes = 0;
  const media = given.filter((file) => file instanceof File && /^(image|video)\//.test(file.type));
  return media.slice(0, sharedMax).filter(({ size }) => {
    if (bytes + size > sharedBytesMax) return false;
    bytes += size;
    return true;
  });
}
