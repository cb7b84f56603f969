/** What a browser's own words tell about a device; kinds only, never versions. */
export interface DeviceKind {
  browser: 'Chrome' | 'Safari' | 'Firefox' | 'Edge' | 'Samsung Internet' | 'Opera' | undefined;
  system: 'iPhone' | 'iPad' | 'Android' | 'Windows' | 'Mac' | 'Linux' | undefined;
  inApp: 'instagram' | 'facebook' | 'tiktok' | 'snapchat' | 'whatsapp' | 'messenger' | 'telegram' | undefined;
}

type Kinds<Kind> = readonly (readonly [RegExp, Kind])[];
const firstOf = <Kind>(kinds: Kinds<Kind>, userAgent: string) =>
  kinds.find(([pattern]) => pattern.test(userAgent))?.[1];

/** Apps that open links in a browser of their own. Messenger names Facebook too, so it stands before it. */
const apps: Kinds<NonNullable<DeviceKind['inApp']>> = [
  [/\bInstagram\b/, 'instagram'],
  [/\b(FBAN\/Messenger|FB_IAB\/(MESSENGER|Orca)|Messenger(ForiOS|LiteForiOS)?)\b/i, 'messenger'],
  [/\b(FBAN|FBAV|FB_IAB)\b/, 'facebook'],
  [/\b(musical_ly|BytedanceWebview|TikTok)/i, 'tiktok'],
  [/\bSnapchat\b/, 'snapchat'],
  [/\bWhatsApp\b/, 'whatsapp'],
  [/\bTelegram\b/i, 'telegram'],
];

const systems: Kinds<NonNullable<DeviceKind['system']>> = [
  [/\biPhone|iPod\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac(intosh| OS X)\b/, 'Mac'],
  [/\b(Linux|CrOS|X11)\b/, 'Linux'],
];

/** The ones that call themselves Chrome or Safari as well stand first. */
const browsers: Kinds<NonNullable<DeviceKind['browser']>> = [
  [/\b(Edg|EdgA|EdgiOS)\//, 'Edge'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(OPR|OPiOS)\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\/|\bAppleWebKit\b/, 'Safari'],
];

/** Reads a `User-Agent`. */
export function deviceOf(userAgent: string): DeviceKind {
  return {
    browser: firstOf(browsers, userAgent),
    system: firstOf(systems, userAgent),
    inApp: firstOf(apps, userAgent),
  };
}

/** Programs that fetch links for previews, indexes and scans. They say who they are. */
const robots =
  /(?<!cu)bot\b|bot\/|crawl|spider|slurp|preview|facebookexternalhit|facebookcatalog|meta-externalagent|^whatsapp\/|skypeuripreview|embedly|quora link|vkshare|pinterest\/\d|google-|googleother|feedfetcher|mediapartners|applebot|ia_archiver|curl\/|wget\/|python|java\/|okhttp|go-http-client|node-fetch|undici|axios|libwww|scan|monitor|validator|fetch/i;
/** Browsers that a program drives. */
const driven = /Headless|PhantomJS|Electron|Puppeteer|Playwright|Selenium|Cypress/i;

/** Who is at the other end, as far as a request tells: a program that only looks, a driven browser, or a person. */
export function callerKindOf(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): 'robot' | 'driven' | 'person' {
  const userAgent = String(headers['user-agent'] ?? '').trim();
  const purpose = `${headers['sec-purpose'] ?? ''} ${headers.purpose ?? ''} ${headers['x-moz'] ?? ''}`;
  if (userAgent === '' || /prefetch|preview|prerender/i.test(purpose)) return 'robot';
  if (driven.test(userAgent)) return 'driven';
  return robots.test(userAgent) ? 'robot' : 'person';
}
