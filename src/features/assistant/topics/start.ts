import { formatCount } from '#kit/text.ts';
import { answers } from '../questions.ts';
import type { OwnState, Topic } from './topic.ts';

/** What a creator has not done yet, first things first. */
function describeNextStep({ itemsReady, activeLinks, neverOpenedLinks }: OwnState): string | undefined {
  if (itemsReady === 0) return 'Your next step: **upload your first photos**.';
  if (activeLinks === 0) return 'Your next step: **create a magic link**. Your photos are ready.';
  if (activeLinks === neverOpenedLinks) return 'Your next step: **send a link**. Nobody has opened one of yours yet.';
  return undefined;
}

/** What the product is, and how one begins. */
export const startTopics: readonly Topic[] = [
  {
    id: 'what-is-privatefans',
    group: 'start',
    title: 'What is PrivateFans?',
    page: '/',
    asks: [
      'Describe yourself in a few lines',
      'What does this app even do? What is it all about?',
      'Is this a social network, a cloud, a shop or a gallery?',
      'PrivateFans in one sentence',
      'What do you do exactly?',
      'What do you people do here?',
      'I have never heard of this; what is the idea behind it?',
      'What is this, what is it about, what kind of service is this?',
      'Who is this for and what does it do, in a nutshell, short summary',
      'Describe PrivateFans, introduction, overview, purpose, concept',
      'What does this site do?',
      'What is this, and what is it good for?',
      'Explain this website to me',
      'Tell me about PrivateFans',
      'What can I use it for?',
      'What is the point of this app?',
    ],
    text: answers.whatIs,
  },
  {
    id: 'get-started',
    group: 'start',
    title: 'How do I get started?',
    page: '/auth?action=signup',
    asks: [
      'Sign me up, register me, let me in',
      'Steps to begin, how to start as a creator',
      'Can I join? I would like to try this',
      'What do I need in order to start?',
      'Where do I sign on for this? Where is the registration?',
      'What do I do first?',
      'How do I begin, what is the first step after signing up?',
      'I want an account',
      'New here, newcomer, what next?',
      'How can I become a creator and open my own account?',
      'Set me up, walk me through, quick start, tutorial, guide',
      'Where do I begin? Where to start?',
      'How do I sign up, register, join or open an account?',
      'Create an account, make a profile, become a creator',
      'First steps for a beginner, set up, onboarding',
      'I am new here, what now?',
    ],
    text: ({ trialDays }) =>
      `Four steps: **sign up** with your email address, **upload** photos or videos to a private album, **create a magic link** for one person, and **send it** however you chat. It takes a few minutes, and the first ${formatCount(trialDays, 'day')} are free.`,
    own: describeNextStep,
  },
  {
    id: 'features',
    group: 'start',
    title: 'What features do you offer?',
    page: '/pricing',
    asks: [
      'Which tools do I have? What can I do here?',
      'Does it have everything I need?',
      'Everything that is included',
      'Included, all that comes with it',
      'What are all the things it can do?',
      'What do I get for my money?',
      'Show me the functions, functionality, list everything',
      'Anything special it offers?',
      'What can it do? What do I get? What is included?',
      'List of functions, tools and options',
      'Capabilities of the product, benefits, advantages',
    ],
    text: () =>
      'Private albums of photos and videos, **magic links** with an end date, a password and a viewer limit, a live view of **who is looking**, revoking in one tap, a visible and an **invisible mark** for each viewer, and a tracer for leaked copies. Everything is in one plan.',
  },
  {
    id: 'who-is-it-for',
    keys: ['who this_for|it_for|made_for|meant_for'],
    group: 'start',
    title: 'Who is PrivateFans for?',
    page: '/',
    asks: [
      'Who is this made for? Whom is it meant for?',
      'Only for girls, ladies, females, guys, males, couples or trans people?',
      'I have few followers, a small audience, nobody knows me: does it make sense for me?',
      'Can beginners, amateurs, artists or normal people use it?',
      'Is it meant for somebody like me? Who uses this?',
      'Is this for models, photographers, women, couples, influencers or small creators?',
      'Would this suit me? Can men use it? Am I the right kind of person?',
      'Do I need many followers or to be famous?',
    ],
    text: () =>
      "For anyone who wants to show photos and videos to people they choose, and to nobody else. It's made with women creators in mind. You don't need followers: there's no public profile to fill and no feed to be ranked in.",
  },
  {
    id: 'how-different',
    group: 'start',
    title: 'How is this different from other creator platforms?',
    page: '/',
    asks: [
      'Is this not the same as the other platforms? How do you compare?',
      'Why should I not just send my pictures by messenger, email, Telegram or WhatsApp?',
      'What is the advantage over other sites? Why you and not them?',
      'Better than the others, unlike, similar sites',
      'OnlyFans, Fansly, Patreon, Fanvue alternative, comparison, competitor, versus',
      'Why not just use Instagram, Telegram, Snapchat, Dropbox, WeTransfer or Google Drive?',
      'What makes you better, what is special, why should I switch?',
      'Why would I leave OnlyFans for you?',
    ],
    text: () =>
      "There's no public profile and no search: people see only what you send them. Each person gets a link of their own, with your rules, and you can take it back. What each person sees carries its own invisible mark, so a leaked copy can be compared with every link that showed it.",
  },
  {
    id: 'app',
    group: 'start',
    title: 'Is there an app to install?',
    page: '/',
    until: 'install',
    asks: [
      'iOS app? Native app?',
      'Is there a mobile app for iOS or Android?',
      'Do I have to install something? APK',
      'App store, play store, download the application',
      'Install on my phone, home screen icon',
    ],
    text: () =>
      'No, and you need none. PrivateFans runs in the browser of your phone or computer, for you and for your viewers. To have it at hand, add the page to your home screen from your browser’s share or menu button.',
  },
  {
    id: 'install-app',
    group: 'start',
    title: 'How do I put PrivateFans on my home screen?',
    page: '/profile/app',
    needs: 'install',
    asks: [
      'iOS app? Native app?',
      'Is there a mobile app for iOS or Android?',
      'Is there an app to install? Do I have to install something? APK',
      'App store, play store, download the application',
      'Install on my phone, home screen icon, shortcut',
      'A neutral name and icon for the app, hide the app, disguise it on my phone',
    ],
    text: () =>
      'There is none in a store, and you need none: PrivateFans runs in the browser, for you and for your viewers. **Profile → App** shows how to add it to your home screen, where it opens like an app, also under a neutral name and icon. On Android your gallery can then share photos straight into an album; an iPhone doesn’t let web apps do that.',
  },
  {
    id: 'devices',
    group: 'start',
    title: 'Which phones and browsers does it work on?',
    page: '/',
    asks: [
      'Does it work on a Chromebook, smart TV, old computer or tablet?',
      'Which device do I need?',
      'Does this run in Firefox, Opera, Brave or DuckDuckGo?',
      'Will it run on my old phone, macbook, PC, Linux, Huawei, Xiaomi or Pixel?',
      'Does it work on all phones? Which operating system?',
      'Does it work on iPhone, iPad, Android, Samsung, Mac, Windows, laptop, tablet or desktop?',
      'Supported browser: Safari, Chrome, Firefox, Edge',
      'Compatible devices, system requirements, computer or mobile',
    ],
    text: () =>
      'Any phone, tablet or computer with a current Safari, Chrome, Firefox or Edge. Links also open inside the browsers of Instagram, WhatsApp and other apps.',
  },
  {
    id: 'allowed-content',
    keys: [
      'post|upload|share|sell|show|is|are|ok|okay|allowed|permitted|allow nude|nudes|nudity|porn|explicit|nsfw|naked|topless|xxx|erotic !ex|reddit|trace|leak|leaked|telegram|safe|steal|stolen|see|screenshot|protect|he|she|someone|somebody|threaten|delete|link|without|twitter|site|my_nudes',
    ],
    group: 'start',
    title: 'What may I share here?',
    page: '/acceptable-use',
    asks: [
      'Can I upload explicit, adult or nude videos?',
      'Which content is against the rules, illegal or too hot?',
      'Is sexy, naked, sexual, spicy, topless or fetish stuff okay?',
      'What am I not allowed to post? What would get me banned?',
      'May I show my partner, friends or children? Consent of others',
      'Is nudity, nsfw, explicit, porn, adult or erotic content allowed?',
      'Rules for content, what is forbidden, prohibited, banned or not permitted',
      'Can I post nudes, lingerie, feet or bikini pictures?',
      'Guidelines about what I can upload, may I show other persons?',
    ],
    text: () =>
      'Only what is yours to share: you must be the only person shown, or have the **written consent** of everyone shown, and everyone must be 18 or older. Others are asked for it by email, and whoever agreed can withdraw that at any time. Sexually explicit pictures are not allowed.',
  },
  {
    id: 'age',
    group: 'start',
    title: 'How old do I have to be?',
    page: '/terms-of-use',
    asks: [
      'Are teenagers allowed? I am a teen, seventeen, almost eighteen',
      'Am I too young? I am under age',
      'Why do you want my birthday?',
      'Minimum age limit, 18, eighteen, adult only, date of birth',
      'Can I join at 16 or 17? I am not 18 yet',
    ],
    text: () =>
      'Creators must be **18 or older**. You confirm it when you sign up and give your date of birth, which is never shown to anyone. Viewers confirm their age when a link asks for it, which is the default.',
  },
  {
    id: 'demo',
    group: 'start',
    title: 'Can I see it before I sign up?',
    page: '/demo',
    needs: 'demo',
    asks: [
      'Demo, preview, example, sample, tour, video of how it works',
      'Show me what it looks like without an account',
    ],
    text: () =>
      'Yes. The demo takes a little over a minute and shows an album, a link, a viewer and what revoking does.',
  },
  {
    id: 'how-it-works',
    group: 'start',
    title: 'How does it work technically?',
    page: '/diagram',
    needs: 'diagram',
    asks: ['Architecture, encryption, keys, diagram, technology', 'What happens behind the scenes with my files?'],
    text: () =>
      'Your photos are cut into encrypted pieces, each made in two versions. Each viewer gets keys to a combination of their own, for a few seconds at a time. The diagram shows each step, and what it can and cannot do.',
  },
];
