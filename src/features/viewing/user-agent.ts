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

const handheld: readonly DeviceKind['system'][] = ['iPhone', 'iPad', 'Android'];

/** Whatever doesn't say that it is a phone or a tablet; a browser may say what it likes. */
export const isDesktop = ({ system }: DeviceKind): boolean => !handheld.includes(system);

/**
 * Programs that fetch links for previews, indexes and scans, by the names that they give themselves. Each is a whole word: an app in
 * whose browser a person opens a link may be called CamScanner, Heart Monitor or Fetch.
 */
const robotNames: readonly RegExp[] = [
  // Previews of chats, mail programs and networks.
  /\b(facebookexternalhit|facebookcatalog|facebot|meta-external(agent|fetcher|ads)|skypeuripreview|bingpreview|google-pagerenderer|embedly|iframely|vkshare|quora link preview|link preview|url preview|linkpreview|opengraph|opengraphcheck|unfurl\w*|feedfetcher-google|flipboardproxy|nuzzel|outbrain|xing-contenttabreceiver|hatena|kakaotalk-scrap|yahoocachesystem|googleimageproxy|google web preview)\b/i,
  /^(whatsapp|viber|signal|line|mastodon|pleroma|misskey|friendica|synapse|nextcloud|zulip|akkoma|mattermost|rocket\.chat|discourse|snapchat)\b/i,
  /\bpinterest\/\d/i,
  // Indexes and archives.
  /\b(yahoo! slurp|slurp|ia_archiver|archive\.org_bot|mediapartners-google|googleother|google-(inspectiontool|safety|read-aloud|site-verification|extended|cloudvertexbot|adwords[\w-]*|structured-data-testing-tool)|google favicon|apis-google|duckduckgo-favicons|chatgpt-user|gptbot|claude-(web|user|searchbot)|anthropic-ai|perplexity-user|cohere-ai|bytespider|heritrix|nutch|scrapy|sogou web spider|ahrefssiteaudit|screaming frog seo spider|siteimprove|pageburst|scope3|seznamemailproxy|owler)\b/i,
  // Looks at whether a site is up, fast, valid or safe.
  /\b(uptimerobot|pingdom|statuscake|site24x7|better ?uptime|betterstack|newrelicpinger|datadog|updown\.io|hetrixtools|freshping|zabbix|nagios|check_http|gtmetrix|chrome-lighthouse|pagespeed|ptst|w3c[_-](validator|checklink|css_validator\w*|mobileok)|validator\.nu|feedvalidator|urlscan|virustotal|censysinspect|expanse|zgrab|masscan|nmap scripting engine|nikto|sqlmap|nuclei|wpscan|qualys|nessus|acunetix|netcraft|internet-measurement|cloudmapping|l9explore|netsystemsresearch|project-resonance|yottaamonitor|gomezagent|ruxitsynthetic|splunk synthetics|logicmonitor|server density)\b/i,
  // Libraries and tools, which stand first.
  /^(curl|wget|aria2|httpie|lwp|libwww-perl|lwp::simple|php|guzzlehttp|symfony|zend|drupal|wordpress|java|jakarta|apache-httpclient|okhttp|retrofit|ktor|go-http-client|fasthttp|node|node-fetch|node\.js|undici|axios|got|superagent|needle|request|deno|bun|dart|python|python-\w+|aiohttp|httpx|urllib\w*|requests|pycurl|ruby|faraday|typhoeus|rest-client|mechanize|reqwest|hyper|ureq|perl|postmanruntime|insomnia|powershell|microsoft office|microsoft url control|winhttp|cfnetwork|dalvik|expo|rssbot|feedly|feedbin|inoreader|newsblur|tiny tiny rss|freshrss|miniflux|netnewswire|apachebench|jmeter|k6|siege|wrk|colly|gobuster|dirbuster|axel|libcurl|winhttprequest)\b/i,
  // Whoever calls itself a bot, crawler or spider, or says where to read about itself. CUBOT is a maker of phones.
  /(?<![\w.-])(?!cubot\b)[\w.-]*(bot|crawler|spider)\b(?!\.(com|org|net))/i,
  /[(;,+ ]\+?https?:\/\/[^ )]+/i,
];
/** Browsers that a program drives. */
const driven = /\b(Headless\w*|PhantomJS|Puppeteer|Playwright|Selenium|WebDriver|Cypress)\b/i;

/** Far longer than any browser's own words. */
const longestUserAgent = 1000;

const isRobot = (userAgent: string) => robotNames.some((name) => name.test(userAgent));

/** Who is at the other end, as far as a request tells: a program that only looks, a driven browser, or a person. */
export function callerKindOf(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): 'robot' | 'driven' | 'person' {
  const userAgent = String(headers['user-agent'] ?? '')
    .trim()
    .slice(0, longestUserAgent);
  const purpose = `${headers['sec-purpose'] ?? ''} ${headers.purpose ?? ''} ${headers['x-moz'] ?? ''}`;
  if (userAgent === '' || /prefetch|preview|prerender/i.test(purpose)) return 'robot';
  if (driven.test(userAgent)) return 'driven';
  return isRobot(userAgent) ? 'robot' : 'person';
}
