/*
 * The studio's service worker. It shows what the server pushes and opens what was tapped; it answers no request, so every page
 * and every byte still comes from the server. A push says as much as a lock screen may show: { title, body, path }.
 */
self.addEventListener('push', (event) => {
  const { title = 'PrivateFans', body = '', path = '/' } = readPush(event.data);
  event.waitUntil(self.registration.showNotification(title, { body, data: { path } }));
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

/** Brings a page that is open already to the front, or opens one; never one of another site. */
async function openPage(path) {
  const address = new URL(typeof path === 'string' ? path : '/', self.location.origin);
  if (address.origin !== self.location.origin) return;
  const open = await self.clients.matchAll({ type: 'window' });
  const studio = open.find((client) => new URL(client.url).pathname.startsWith('/view/') === false);
  if (studio === undefined) return void (await self.clients.openWindow(address.href));
  await studio.focus();
  await studio.navigate(address.href);
}
