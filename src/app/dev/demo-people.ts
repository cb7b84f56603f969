import type { ClientEventType } from '#features/security/contract.ts';
import { dayMs, hourMs, minuteMs } from '#kit/time.ts';

/** What somebody holds, and where. */
export interface Device {
  address: string;
  userAgent: string;
  timeZone: string;
  screen: string;
}

/** Somebody who looks. */
export interface Person {
  /** By which the browser is known when it comes back; nobody else reads it. */
  name: string;
  device: Device;
}

/** A look at one item of a link, in its order; of a video from a second on. */
export interface Look {
  item: number;
  seconds: number;
  from?: number;
}

/** A visit of the week: by which link, and when. */
export interface PlannedVisit {
  who: Person;
  link: string;
  /** Before the week's end. */
  agoMs: number;
  looks: readonly Look[];
  /** What their browser reports of it, and how often. */
  noticed?: readonly Noticed[];
}

export type Noticed = { type: ClientEventType; count: number };

const webKit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const iPhone = `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${webKit}`;
const desk = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36';
const hand = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36';

const browsers = {
  safari: [`${iPhone} Version/18.5 Mobile/15E148 Safari/604.1`, '393x852'],
  instagram: [`${iPhone} Mobile/22F76 Instagram 390.0.0.28.85 (iPhone15,2; iOS 18_5; en_US)`, '393x852'],
  android: [`Mozilla/5.0 (Linux; Android 16; Pixel 9) ${hand}`, '412x915'],
  samsung: [
    `Mozilla/5.0 (Linux; Android 15; SM-S931B) ${hand.replace('Chrome', 'SamsungBrowser/28.0 Chrome')}`,
    '384x832',
  ],
  windows: [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${desk}`, '1920x1080'],
  edge: [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${desk} Edg/150.0.0.0`, '1536x864'],
  mac: [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit} Version/18.5 Safari/605.1.15`, '1512x982'],
  firefox: ['Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0', '1920x1200'],
} as const;

/** One address of a network that lies in this country, as the file of countries knows it. */
const places = {
  AT: ['84.115.20.9', 'Europe/Vienna'],
  AU: ['1.128.44.9', 'Australia/Sydney'],
  BR: ['189.54.20.11', 'America/Sao_Paulo'],
  CA: ['99.240.11.6', 'America/Toronto'],
  CH: ['212.51.150.9', 'Europe/Zurich'],
  DE: ['91.64.12.7', 'Europe/Berlin'],
  ES: ['83.44.12.9', 'Europe/Madrid'],
  FR: ['90.63.210.5', 'Europe/Paris'],
  GB: ['86.150.33.2', 'Europe/London'],
  IT: ['79.20.11.4', 'Europe/Rome'],
  JP: ['126.72.10.4', 'Asia/Tokyo'],
  NL: ['83.86.20.3', 'Europe/Amsterdam'],
  PT: ['85.240.30.12', 'Europe/Lisbon'],
  US: ['73.162.44.10', 'America/Los_Angeles'],
} as const;

/** Somebody from a country, with a browser. */
export const person = (name: string, place: keyof typeof places, browser: keyof typeof browsers): Person => {
  const [[address, timeZone], [userAgent, screen]] = [places[place], browsers[browser]];
  return { name, device: { address, timeZone, userAgent, screen } };
};

/** So many days and hours before the week's end. */
export const ago = (days: number, hours = 0, minutes = 0) => days * dayMs + hours * hourMs + minutes * minuteMs;
/** The first items of a link one after another, each for some seconds. */
export const photos = (...seconds: number[]): Look[] => seconds.map((each, item) => ({ item, seconds: each }));
/** The video of its link, from second to second. */
const video = (...stretches: [from: number, before: number][]): Look[] =>
  stretches.map(([from, before]) => ({ item: 0, from, seconds: before - from }));

const bob = person('Bob', 'DE', 'android');
const theo = person('Theo', 'ES', 'samsung');
const jules = person('Jules', 'FR', 'safari');
const lena = person('Lena', 'AT', 'safari');
const london = person('visitor 2', 'GB', 'windows');

const copied: readonly Noticed[] = [
  { type: 'copy_attempt', count: 2 },
  { type: 'context_menu_attempt', count: 3 },
];
const shot: readonly Noticed[] = [{ type: 'screenshot_attempt', count: 1 }];
const saved: readonly Noticed[] = [{ type: 'save_attempt', count: 1 }];
const away: readonly Noticed[] = [
  { type: 'tab_switch_attempt', count: 1 },
  { type: 'tab_return', count: 1 },
];

/** Who came by the link that visitors of the home page find, and by those to one person. */
export const visitsOfPhotos: readonly PlannedVisit[] = [
  { who: person('visitor 1', 'US', 'instagram'), link: 'Demo', agoMs: ago(6, 2), looks: photos(5, 9, 4, 12) },
  { who: london, link: 'Demo', agoMs: ago(5, 3), looks: photos(8, 6, 14, 3, 7) },
  { who: bob, link: 'Bob', agoMs: ago(5, 1), looks: photos(11, 7, 22, 9, 6, 17, 5, 13) },
  { who: person('visitor 3', 'BR', 'android'), link: 'Demo', agoMs: ago(4, 20), looks: photos(4, 3) },
  { who: theo, link: 'Theo', agoMs: ago(4, 1), looks: photos(9, 12, 6, 19, 8) },
  { who: person('visitor 4', 'NL', 'edge'), link: 'Demo', agoMs: ago(3, 9), looks: photos(6, 10, 8), noticed: saved },
  { who: bob, link: 'Bob', agoMs: ago(3, 2), looks: photos(6, 4, 31, 12) },
  { who: jules, link: 'Jules', agoMs: ago(2, 5), looks: photos(24, 13, 9, 16) },
  { who: person('visitor 5', 'JP', 'mac'), link: 'Demo', agoMs: ago(2, 11), looks: photos(16, 9, 21, 8, 6, 5, 11, 4) },
  { who: london, link: 'Demo', agoMs: ago(2, 1), looks: photos(11, 4), noticed: copied },
  { who: person('visitor 6', 'DE', 'firefox'), link: 'Demo', agoMs: ago(1, 6), looks: [] },
  { who: bob, link: 'Bob', agoMs: ago(1, 3), looks: photos(5, 8, 12, 4, 26), noticed: shot },
  {
    who: person('visitor 7', 'CA', 'safari'),
    link: 'Demo',
    agoMs: ago(0, 9),
    looks: photos(7, 5, 18, 6, 9),
    noticed: away,
  },
  { who: lena, link: 'Lena', agoMs: ago(0, 2), looks: photos(14, 21, 8, 11) },
];

/** The visit of which a picture leaks, and the one during which its link is revoked. */
export const leaking = jules;
export const revoked: PlannedVisit = { who: theo, link: 'Theo', agoMs: ago(2, 0, 30), looks: photos(7, 28, 5) };

/** Who came by the link to the video. */
export const visitsOfVideo: readonly PlannedVisit[] = [
  { who: person('reader 1', 'US', 'safari'), link: 'Newsletter', agoMs: ago(3, 4), looks: video([0, 12]) },
  { who: person('reader 2', 'IT', 'android'), link: 'Newsletter', agoMs: ago(3, 3), looks: video([0, 4]) },
  { who: person('reader 3', 'CH', 'mac'), link: 'Newsletter', agoMs: ago(1, 22), looks: video([0, 12], [3, 9]) },
  { who: person('reader 4', 'AU', 'samsung'), link: 'Newsletter', agoMs: ago(1, 12), looks: video([0, 7]) },
  { who: person('reader 5', 'PT', 'instagram'), link: 'Newsletter', agoMs: ago(1, 4), looks: video([0, 6]) },
  { who: person('reader 6', 'GB', 'edge'), link: 'Newsletter', agoMs: ago(0, 20), looks: video([0, 9]) },
  { who: person('reader 7', 'US', 'windows'), link: 'Newsletter', agoMs: ago(0, 13), looks: video([0, 12]) },
  { who: person('reader 8', 'DE', 'safari'), link: 'Newsletter', agoMs: ago(0, 4), looks: video([0, 3], [7, 12]) },
];
