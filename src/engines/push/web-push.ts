import { type Agent, request } from 'node:https';
import type { Push, PushMessage } from './push.ts';

/** The push services of the browsers that there are: Chrome and its kin, Firefox, Edge, Safari. A dot in front takes every name below. */
const services = [
  'fcm.googleapis.com',
  '.push.services.mozilla.com',
  '.notify.windows.com',
  '.push.apple.com',
] as const;

interface PushSettings {
  /** Hosts, with their port where it is another than 443; default: those of the browsers. */
  hosts?: readonly string[];
  /** For tests: an agent that trusts a certificate of their own. */
  agent?: Agent;
}

/** By these alone a service says that the browser has ended its subscription (RFC 8030 §7.3); other refusals are about us. */
const gone: ReadonlySet<number> = new Set([404, 410]);

/** From the first byte to the end of the answer's head. */
const longestMs = 10_000;

/** Sends pushes by the Web Push protocol (RFC 8030), encrypted for the browser (RFC 8291). */
export function openWebPush({ hosts = services, agent }: PushSettings = {}): Push {
  const isKnown = (endpoint: string) => {
    if (!URL.canParse(endpoint)) return false;
    const { protocol, host, username, password } = new URL(endpoint);
    const isService = hosts.some((known) => (known.startsWith('.') ? host.endsWith(known) : host === known));
    return protocol === 'https:' && username === '' && password === '' && isService;
  };
  return {
    isKnown,
    async send(message) {
      if (!isKnown(message.endpoint)) return 'gone';
      const { headers, body } = await prepare(message);
      const status = await post(message.endpoint, { headers, body, agent });
      if (status >= 200 && status < 300) return 'taken';
      if (gone.has(status)) return 'gone';
      // Its answer may name the address, which is a secret of the browser.
      throw new Error(`The push service answered ${status}.`);
    },
  };
}

/** The library waits for the first push: until then it only costs memory. */
async function prepare({ endpoint, p256dh, auth, payload, vapid, ttlSeconds }: PushMessage) {
  const { default: webPush } = await import('web-push');
  const { cipherText } = webPush.encrypt(p256dh, auth, payload, 'aes128gcm');
  const { origin } = new URL(endpoint);
  const { Authorization } = webPush.getVapidHeaders(
    origin,
    vapid.subject,
    vapid.publicKey,
    vapid.privateKey,
    'aes128gcm',
  );
  const headers = {
    authorization: Authorization,
    'content-encoding': 'aes128gcm',
    'content-type': 'application/octet-stream',
    'content-length': cipherText.length,
    ttl: ttlSeconds,
    urgency: 'normal',
  };
  return { headers, body: cipherText };
}

/** One request, without following where it leads and without reading what it says. @returns its status */
function post(
  endpoint: string,
  { headers, body, agent }: { headers: Record<string, string | number>; body: Buffer; agent: Agent | undefined },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', headers, signal: AbortSignal.timeout(longestMs), ...(agent && { agent }) };
    const asking = request(endpoint, options, (answer) => {
      resolve(answer.statusCode ?? 0);
      answer.destroy();
    });
    asking.on('error', ({ name, message }) =>
      reject(new Error(`The push service did not answer: ${name === 'AbortError' ? 'too slow' : message}`)),
    );
    asking.end(body);
  });
}
