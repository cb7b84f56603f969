import { answers } from '../questions.ts';
import type { Topic } from './topic.ts';

const viewers = { group: 'viewers', page: '/help' } as const;

/** What people ask who were sent a link. */
export const viewerTopics: readonly Topic[] = [
  {
    ...viewers,
    id: 'viewer-account',
    title: 'Do my viewers need an account?',
    asks: [
      'Does he need the app? Do viewers need to install, log in, pay or register?',
      'Must my customers install something?',
      'Do they need to sign up? Must my viewers register?',
      'Does my fan have to make an account, pay or download something?',
      'Can people look without an account?',
      'Does the other person have to sign up, register, log in or install anything to see my album?',
      'Do fans need a profile, login, membership or app? Is viewing free for them?',
    ],
    text: answers.viewers,
  },
  {
    ...viewers,
    id: 'link-does-not-open',
    title: 'A link doesn’t open. Why?',
    asks: [
      'The page says temporarily unavailable, this link has expired, access ended',
      'Nothing happens when I tap open',
      'The link is broken, dead or not available',
      'I got a link but it does not open, it says that it is not available',
      'Black screen, pictures do not load, does not load',
      "This link isn't available, link not working, broken, dead, error, white page, blank",
      'I was sent a link but I cannot see anything, temporarily unavailable, access ended',
      'The viewer says that it does not work, he cannot open my album',
    ],
    text: () =>
      'It may have expired, been revoked, or reached its viewer limit; for whoever never opened it, the page always says the same, so that it tells nobody anything. If you were sent the link, ask the person who sent it. If you are its creator, look at it under `/magic-links`: its row says what happened.',
  },
  {
    ...viewers,
    id: 'access-code',
    title: 'I lost access to an album that I could open before',
    asks: [
      'I changed my phone and cannot open her album any more',
      'A fan lost his access, he cannot get back in',
      'Where is my access code? Continue on another device',
      'I had access yesterday on my other phone, now it is gone',
      'It wants a code, enter the code, lost my code',
      'How does a viewer come back later? Open it again on a new device',
      'Access code, resume code, keep your access, new phone, other browser, cleared cookies, changed device',
      'The browser forgot me, opened on another device, open it again in Safari',
    ],
    text: () =>
      "On the link’s first page, tap **I have an access code** and enter the code that you saved under **More → Keep your access**. If you confirmed your email address at the link, or paid there with it, **Get a code by email** below the field sends you a new one. Otherwise, ask the creator for a new link: we don't know who you are, so we can't check it for you.",
  },
  {
    ...viewers,
    id: 'other-screen',
    title: 'Why does it say “Already open on another screen”?',
    asks: [
      'Open on another device, somebody else is using it, kicked out because of a second screen',
      'Two devices at once, simultaneous, concurrent screens, watch on phone and laptop at the same time',
    ],
    text: () =>
      'A link runs on a limited number of screens at a time. Tap **Continue here**, and the other one closes.',
  },
  {
    ...viewers,
    id: 'viewer-privacy',
    title: 'What does the creator see about me as a viewer?',
    page: '/privacy-policy',
    asks: [
      'Can the creator track or see me? Is my viewing private?',
      'Does the creator know that it is me?',
      'Can the creator see who I am? Does she see my name when I look?',
      'What does my viewer have to tell, is the viewer tracked?',
      'I am a viewer: am I anonymous? Do they know my name, address, IP or phone number?',
      'Will she know that I looked? What is stored when I open a link?',
    ],
    text: () =>
      'When you opened the link and for how long, which pictures were on your screen, your country and the type of your device. **Not** your address, number or name. You find this at any time under **More → What the creator can see**.',
  },
  {
    ...viewers,
    id: 'viewer-download',
    title: 'Can I save or download the pictures that I was sent?',
    asks: [
      'I was sent a link: how can I save the photos? Download from a link',
      'As a viewer keep a copy, store it on my device, print an image from a link',
    ],
    text: () =>
      'No. Links are for viewing only, and what you see carries a mark that belongs to you. Ask the creator if you would like to have a picture.',
  },
];
