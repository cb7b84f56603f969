import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { previewAgents } from '#tests/support/media/preview-agents.ts';
import { readRow } from '#tests/support/people.ts';
import { countViewerRows, type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { phone } from '#tests/support/viewer-api.ts';

let app: TestApp;
let shared: SharedAlbum;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 1 });
});
afterAll(() => app.close());

/** Whoever fetches the links that people send each other, or finds them: each stands among the programs that tap below. */
const families = {
  previews: [
    ...[
      /^WhatsApp\//,
      /^TelegramBot/,
      /^facebookexternalhit/,
      /Facebot Twitterbot/,
      /^Twitterbot/,
      /^Slackbot-LinkExpanding/,
    ],
    ...[
      /Discordbot/,
      /^LinkedInBot/,
      /SkypeUriPreview/,
      /^Snap URL Preview|Snapchat\/.*link preview/,
      /Pinterest\S*\/\d/,
    ],
  ],
  searches: [/Googlebot/, /bingbot/, /DuckDuckBot/, /YandexBot/, /Baiduspider/, /Applebot/, /GPTBot/, /ClaudeBot/],
  monitors: [/UptimeRobot/, /Pingdom/, /StatusCake/, /Site24x7/i],
  scanners: [/CensysInspect/, /masscan|zgrab|Nmap|nuclei/i],
  libraries: [/^curl\//, /^Wget\//, /^python-requests\//, /^Go-http-client\//, /^axios\//, /^okhttp\//],
};

const fixture = readFileSync('tests/fixtures/user-agents.txt', 'utf8').split(/^# programs$/m)[1] ?? '';
const known = Object.values(families).flat();
const isKnown = (userAgent: string) => known.some((family) => family.test(userAgent));
/** Every program of these families, and a quarter of all others. */
const programs = [
  ...new Set([
    ...previewAgents,
    'Wget/1.21.4 (linux-gnu)',
    'Go-http-client/2.0',
    ...fixture.split('\n').filter(Boolean),
  ]),
].filter((userAgent, n) => isKnown(userAgent) || n % 4 === 0);

/** A link that every first look would use up. */
const onceOnly = { bindFirstViewer: true, maxViewers: 1, maxVisits: 1, openForMs: 3_600_000 };
const spentOf = (id: string) =>
  readRow(
    app,
    `select views_count, unique_viewers, places_taken, first_opened_at, (select count(*)::int from link_viewers k where k.link_id = l.id) as bound
    from magic_links l where id = $1`,
    [id],
  );

it('no program that looks at a link spends it: no view, no first viewer, no place and no time', async () => {
  expect(programs.length).toBeGreaterThan(60);
  expect(known.filter((family) => !programs.some((userAgent) => family.test(userAgent)))).toEqual([]);
  const { id, slug } = await shared.makeLink(onceOnly);
  const [unspent, before] = [await spentOf(id), await countViewerRows(app)];
  const letIn: string[] = [];
  for (const userAgent of programs) {
    const { refusal } = await shared.viewerApi.tap(slug, {}, newBrowser({ 'user-agent': userAgent }));
    if (refusal?.reason !== 'NEED_BROWSER') letIn.push(userAgent);
  }
  expect(letIn).toEqual([]);
  expect([await spentOf(id), await countViewerRows(app)]).toEqual([unspent, before]);
  const person = await shared.viewerApi.tap(slug, {}, newBrowser({ 'user-agent': phone }));
  expect(person.head?.items, 'the one look is still there for the person whom it was meant for').toHaveLength(1);
});

const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const android =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/UQ1A.240205.002; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/131.0.6778.81 Mobile Safari/537.36';

/** Browsers inside of apps, in which most links are opened. */
const inApps = [
  `${iPhone} Mobile/15E148 Instagram 357.0.5.28.101 (iPhone16,2; iOS 18_1; en_US; en; scale=3.00; 1290x2796; 666060999)`,
  `${android} Instagram 357.0.0.25.101 Android (34/14; 420dpi; 1080x2209; Google/google; Pixel 8; shiba; shiba; en_US; 662944209)`,
  `${iPhone} Mobile/15E148 Barcelona 357.0.0.18.98 (iPhone16,2; iOS 18_1; en_US; en; scale=3.00; 1290x2796; 666060999)`,
  `${iPhone} Mobile/15E148 [FBAN/FBIOS;FBAV/489.0.0.41.99;FBBV/668030011;FBDV/iPhone16,2;FBMD/iPhone;FBSN/iOS;FBSV/18.1;FBSS/3;FBCR/;FBID/phone;FBLC/en_US;FBOP/80]`,
  `${android} [FB_IAB/FB4A;FBAV/489.0.0.56.71;]`,
  `${iPhone} Mobile/15E148 [FBAN/MessengerForiOS;FBAV/483.0.0.33.109;FBBV/664562217;FBDV/iPhone16,2;FBMD/iPhone;FBSN/iOS;FBSV/18.1;FBSS/3;FBID/phone;FBLC/en_US;FBOP/5]`,
  `${android} [FB_IAB/Orca-Android;FBAV/483.0.0.49.69;]`,
  `${iPhone} Mobile/15E148 WhatsApp/24.23.80`,
  `${android} WhatsApp/2.24.23.78`,
  `${iPhone} Mobile/15E148`,
  `${android} Telegram-Android/11.4.2 (Google Pixel 8; Android 14; SDK 34; HIGH)`,
  `${iPhone} Mobile/15E148 musical_ly_37.0.0 JsSdk/2.0 NetType/WIFI Channel/App Store ByteLocale/en Region/US isDarkMode/0 WKWebView/1 BytedanceWebview/d8a21c6`,
  `${android} musical_ly_2023700040 JsSdk/1.0 NetType/WIFI Channel/googleplay AppName/musical_ly app_version/37.0.4 ByteLocale/en ByteFullLocale/en Region/US BytedanceWebview/d8a21c6`,
  `${iPhone} Version/18.1 Mobile/15E148 Snapchat/13.14.0.41 (like Safari/8619.2.8.10.9, panda)`,
  `${android} Snapchat/13.14.0.42 (Pixel 8; Android 14#11344186#34; gzip; )`,
  `${iPhone} Mobile/15E148 Twitter for iPhone/10.67`,
  `${android} TwitterAndroid`,
  `${iPhone} Mobile/15E148 Safari Line/14.18.1`,
  `${android} Line/14.18.1/IAB`,
  `${iPhone} Mobile/15E148 MicroMessenger/8.0.53(0x18003533) NetType/WIFI Language/en`,
  `${android} MMWEBID/4317 MicroMessenger/8.0.53.2740(0x28003533) WeChat/arm64 Weixin NetType/WIFI Language/en ABI/arm64`,
  `${iPhone} Mobile/15E148 KAKAOTALK 24.11.0`,
  `${android} KAKAOTALK/24.11.0 (INAPP)`,
  `${iPhone} Mobile/15E148 [Pinterest/iOS]`,
  `${android} [Pinterest/Android]`,
  `${iPhone} Mobile/15E148 [LinkedInApp]/9.30.2120`,
  `${android} [LinkedInApp]/4.1.1012`,
  `${iPhone} GSA/345.0.696657543 Mobile/15E148 Safari/604.1`,
  `${iPhone} Mobile/15E148 Reddit/Version 2024.46.0/Build 615412/iOS Version 18.1 (Build 22B83)`,
  `${android} Viber/23.4.0.2`,
];

it('whoever opens a link inside of an app is a viewer, and what they look at is a view', async () => {
  const [{ id, slug }, mediaId] = [await shared.makeLink(), shared.photos[0]?.mediaId];
  const refused: string[] = [];
  const begun: { visitId: string; browser: ReturnType<typeof newBrowser> }[] = [];
  for (const userAgent of inApps) {
    const browser = newBrowser({ 'user-agent': userAgent });
    const { head } = await shared.viewerApi.tap(slug, {}, browser);
    if (head?.visitId === undefined) refused.push(userAgent);
    else begun.push({ visitId: head.visitId, browser });
  }
  expect(refused).toEqual([]);
  app.setNow('2026-11-21T12:00:15Z');
  for (const { visitId, browser } of begun) {
    const samples = [{ mediaId, visibleMs: 5000 }];
    expect((await app.call('viewing.renew', { visitId, samples, idleMs: 0, lookingAt: mediaId }, browser)).status).toBe(
      200,
    );
  }
  const count = inApps.length;
  expect(await spentOf(id)).toMatchObject({ views_count: count, unique_viewers: count, bound: count });
});
