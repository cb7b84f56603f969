import { formatCount } from '#kit/text.ts';
import type { OwnState, Topic } from './topic.ts';

const analytics = { group: 'figures', page: '/analytics' } as const;

const describeNow = ({ lookingNow }: OwnState) =>
  lookingNow === 0
    ? 'Nobody is looking right now.'
    : `**${formatCount(lookingNow, 'screen is', 'screens are')}** showing something of yours right now.`;

const describeWeek = ({ visitsThisWeek }: OwnState) =>
  `In the last seven days you had **${formatCount(visitsThisWeek, 'visit')}**.`;

/** Who looked, when and for how long. */
export const figureTopics: readonly Topic[] = [
  {
    ...analytics,
    id: 'who-viewed',
    keys: ['limit people|viewers|person|times looked|watched|saw|viewed !can|may|same|link'],
    title: 'Who has looked at my album?',
    asks: [
      'How many people looked? How many views do I have?',
      'Which of my links were opened? Latest visits',
      'Did anyone look at my stuff this week? Any visitors lately?',
      'Who saw my pics? Has Tom opened it yet? Did she look?',
      'How often did he look, how long did they watch, when was it opened?',
      'Check views, visitors, who was here',
      'See who viewed, opened or watched my pictures, who visited, how often and for how long',
      'Has he seen it yet? Did anybody open my link? Was it read?',
      'List of visits and viewers, view history',
    ],
    text: () =>
      'Each row under **Magic links** tells its story: opened how often, when last, from which country, for how long. Open a link for its single visits, and **Analytics** for all viewers together.',
    own: describeWeek,
  },
  {
    ...analytics,
    id: 'analytics',
    title: 'What does Analytics show?',
    asks: [
      'Most watched clip, best picture, top viewers, trends, growth',
      'Which photo is the most popular? What do people like most?',
      'Where are my statistics? Show me my numbers, figures, results',
      'Statistics, stats, numbers, figures, metrics, insights, chart, dashboard, report, performance',
      'Most popular photo, top album, best video, how far people watch, countries, devices',
      'Export as CSV, spreadsheet, excel',
    ],
    text: () =>
      'Opens, views, viewers and watch time for 7, 30, 90 or 365 days: by link, album, photo and video, country, device and app. For a video you see how far it was watched. You can save the figures as a CSV file.',
    own: describeWeek,
  },
  {
    ...analytics,
    id: 'how-we-count',
    title: 'What counts as a view?',
    asks: [
      'A private window, incognito mode, another browser: is it a new person?',
      'Zero views although somebody looked',
      'Why are my own views not counted? What is a unique viewer? When is it counted?',
      'Why is my view count zero or wrong? Definition of a view',
      'Do my own looks count?',
      'How are views counted? Views look wrong, too few or too many, zero views',
      'Bots, robots, fake views, not counted, unique viewer, watch time',
    ],
    text: () =>
      'A visit in which photos or a video were on the screen for **2 seconds**, once per visit. Previews in chats, bots that say so and your own visits are not counted; each is listed with its reason under **Not counted**.',
  },
  {
    ...analytics,
    id: 'looking-now',
    title: 'Can I see who is looking right now?',
    page: '/',
    asks: [
      'Is someone looking now? See live viewers',
      'Is anybody watching at the moment? Who is here right now? Who is online?',
      'Live, online now, watching at this moment, real time, currently viewing',
    ],
    text: () =>
      'Yes. **Looking now** on your home page shows each viewer with the very photo or video on their screen. It moves as they do.',
    own: describeNow,
  },
  {
    ...analytics,
    id: 'close-screen',
    title: 'Can I close a screen while somebody is looking?',
    page: '/',
    asks: [
      'End his session right now, close the picture on his screen',
      'Throw someone out while they watch, stop a person who is looking right now',
      'Kick a viewer out live, throw out, interrupt, end a visit, close their screen',
    ],
    text: ({ leaseSeconds }) =>
      `Yes: **Close their screen** beside their name under **Looking now**. The screen closes within ${leaseSeconds} seconds at most. The link still opens after that; revoke it to stop that too.`,
    own: describeNow,
  },
  {
    ...analytics,
    id: 'viewer-names',
    title: 'Who is “Viewer 4F2A”?',
    asks: [
      'Why does it say Viewer A1B2? Find out the name of a viewer',
      'Who is this viewer with letters and numbers? Why does it not show the name?',
      'Unknown or anonymous viewer, strange name with code, rename a viewer, give a visitor a name',
    ],
    text: () =>
      'A browser that opened one of your links. Viewers have no account, so we don’t know their name; the name you gave the link is shown where there is one. Tap the viewer in **Analytics** to give a name of your own. Only you see it.',
  },
  {
    ...analytics,
    id: 'location',
    title: 'How do you know where a viewer is?',
    asks: [
      'Where does the viewer live? Which country does he look from?',
      'It shows another country than he lives in',
      'Wrong country shown for my viewer, where do my viewers come from, where is he?',
      'Country, city, location or place of the visitor is wrong, VPN, estimated, IP address',
    ],
    text: () =>
      'From the country of the connection, looked up on this server. If that isn’t known, the phone’s time zone is used and marked “estimated”. A VPN shows its own country. The address itself isn’t kept.',
  },
];
