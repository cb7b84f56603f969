import { callsOf } from '#wire/client.ts';
import { noticesContract } from '../contract.ts';

/** The calls of this room. */
export const notices = callsOf('notices', noticesContract);

/** Returns whether this browser can take pushes at all; on an iPhone only an app on the home screen can. */
export const canPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

const openWorker = () => navigator.serviceWorker.register('/sw.js');

/** What this browser is subscribed with; undefined when it takes no pushes. */
async function findSubscription(): Promise<PushSubscription | undefined> {
  const worker = await navigator.serviceWorker.getRegistration('/');
  return (await worker?.pushManager.getSubscription()) ?? undefined;
}

/** Who asked for pushes in this browser; whoever else signs in here gets none by themselves. */
const subscriber = 'pf.push-for';

/** Whether pushes for this person, signed by this key, come to this browser. */
export async function isSubscribed(userId: string, pushKey: string): Promise<boolean> {
  if (!canPush() || Notification.permission !== 'granted' || localStorage.getItem(subscriber) !== userId) return false;
  const subscription = await findSubscription();
  return subscription !== undefined && hasKey(subscription, pushKey);
}

/** Tells the server where this browser takes pushes, in the name of whoever is signed in. */
async function saveSubscription(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys = {} } = subscription.toJSON();
  const { p256dh = '', auth = '' } = keys;
  await notices.subscribe.call({ endpoint: endpoint ?? '', p256dh, auth });
}

/** Asks for leave and subscribes. @returns false when leave was refused */
export async function subscribe(pushKey: string, userId: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false;
  await openWorker();
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: bytesOf(pushKey) };
  const old = await pushManager.getSubscription();
  // One that was made with another key pair reaches nobody.
  if (old !== null && !hasKey(old, pushKey)) await old.unsubscribe();
  await saveSubscription(await pushManager.subscribe(options));
  localStorage.setItem(subscriber, userId);
  return true;
}

/** This browser takes no more pushes. */
export async function unsubscribe(): Promise<void> {
  const subscription = await findSubscription();
  if (subscription === undefined) return;
  await notices.unsubscribe.call({ endpoint: subscription.endpoint });
  await subscription.unsubscribe();
  localStorage.removeItem(subscriber);
}

/**
 * A subscription ends on the server with the session in which it was made: told again with each start of the studio, a browser
 * that took pushes takes them after the next sign-in, too.
 */
export async function keepSubscription(userId: string): Promise<void> {
  if (!canPush() || Notification.permission !== 'granted' || localStorage.getItem(subscriber) !== userId) return;
  const subscription = await findSubscription();
  if (subscription !== undefined) await saveSubscription(subscription);
}

const bytesOf = (base64url: string) =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));

function hasKey({ options }: PushSubscription, pushKey: string): boolean {
  const known = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  const wanted = bytesOf(pushKey);
  return known.length === wanted.length && known.every((byte, at) => byte === wanted[at]);
}
