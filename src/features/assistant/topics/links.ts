import { formatCount } from '#kit/text.ts';
import type { OwnState, Topic } from './topic.ts';

const links = { group: 'links', page: '/magic-links' } as const;

const describeActive = ({ activeLinks }: OwnState) =>
  activeLinks === 0
    ? "You don't have an active link right now."
    : `You have **${formatCount(activeLinks, 'active link')}** right now.`;

/** "2 links end today, 1 link ends tomorrow." */
function describeEnding({ endsToday, endsTomorrow }: OwnState): string {
  const when = [
    ...(endsToday > 0
      ? [`**${formatCount(endsToday, 'link')}** of yours ${endsToday === 1 ? 'expires' : 'expire'} today`]
      : []),
    ...(endsTomorrow > 0
      ? [`**${formatCount(endsTomorrow, 'link')}** of yours ${endsTomorrow === 1 ? 'expires' : 'expire'} tomorrow`]
      : []),
  ];
  return when.length === 0 ? 'None of your links expires today or tomorrow.' : `${when.join(', and ')}.`;
}

const describeUnopened = ({ neverOpenedLinks }: OwnState) =>
  neverOpenedLinks === 0
    ? undefined
    : `**${formatCount(neverOpenedLinks, 'active link')}** of yours ${neverOpenedLinks === 1 ? 'has' : 'have'} never been opened.`;

/** Links: how they are made, what they ask of a viewer, and how they end. */
export const linkTopics: readonly Topic[] = [
  {
    ...links,
    id: 'create-link',
    title: 'How do I create magic links?',
    asks: [
      'Share with one person, share an album, give access to somebody',
      'Where do I get the link to send? Create a new link for a fan',
      'How do I let people see my content?',
      'Make a link, new link, get a link for a person',
      'Let my boyfriend, girlfriend, husband, partner or client see the pictures',
      'How do I share this with Bob? Send my album to a customer',
      'How can other people see my photos?',
      'Make, generate or get a link, share an album, send an album to somebody',
      'How do I give someone access to my pictures? Show a person my photos',
      'Invite a viewer, share with a friend, create a share url',
    ],
    text: ({ linkDefaultDays }) =>
      `Open an album, tap **Share**, read the sentence, and tap **Create link**: the link is copied, ready to send. Every underlined word of the sentence can be changed: who it's for, how long, how many people. A new link ends after ${formatCount(linkDefaultDays, 'day')} unless you choose otherwise.`,
    own: describeActive,
  },
  {
    ...links,
    id: 'what-is-a-link',
    title: 'What is a magic link?',
    asks: [
      'What are those links good for?',
      'What does a magic link do? Is a link the same as an album?',
      'Purpose, use and sense of the links',
      'What the heck are these links? Why links? One link for everybody or one for each person?',
      'Meaning of magic link, what does a magic link do, explain links',
      'Difference between an album and a link',
    ],
    text: () =>
      "A personal address that opens your album for the person you send it to, on your terms: an end date, a password, a viewer limit. Make **one for each person**. Then you know who looked, and you can end one person's access without touching the others.",
    own: describeActive,
  },
  {
    ...links,
    id: 'link-expiry',
    title: 'When does a link expire?',
    asks: [
      'A link that dies after a day, 24 hours',
      'Links expiring soon, when will my links expire, which links are ending?',
      'Set how long a link works, one day, one week, one month',
      'Permanent link without an end',
      'How long does a link stay valid, alive or open?',
      'Do any of my links end tomorrow, today or soon?',
      'A link should die, close or stop by itself after a week',
      'Change the end date, how long does it last?',
      'Set an end date, expiration, deadline, lifetime of a link, how long is it valid?',
      'Which of my links run out soon? Is anything about to expire, ending today or tomorrow?',
      'Temporary link, make it stop working by itself, never expire',
    ],
    text: ({ linkDefaultDays }) =>
      `At the moment you choose: in an hour, on a date, or never. New links end after **${formatCount(linkDefaultDays, 'day')}** unless you change that. At its end a link stops for everyone, on open screens too.`,
    own: describeEnding,
  },
  {
    ...links,
    id: 'extend-link',
    title: 'Can I extend a link?',
    asks: [
      'Make it last another week, longer time, add days, more days',
      'My link ended yesterday, can it live on? Continue an old link',
      'Give him two more days, make a link last longer',
      'The link has expired, can I open it again? Reactivate an expired link',
      'Prolong, renew, give more time, longer, postpone the end of a link',
      'Revive an expired link',
    ],
    text: () =>
      'Yes, also one that has expired: open it under **Magic links** and change when it ends, or select several and choose **Extend**. Its address stays the same.',
    own: describeEnding,
  },
  {
    ...links,
    id: 'send-link',
    title: 'How do I send a link, and what does the chat show?',
    asks: [
      'Does Instagram, WhatsApp or iMessage show a preview? Send the link by mail',
      'What does WhatsApp show when I paste the link? Will the preview show my photo?',
      'How do I send it by Instagram DM, text message or email?',
      'Where can I copy the link? Find the address of my link again',
      'WhatsApp, Instagram, Telegram, Messenger, SMS, email preview of the link, thumbnail in the message',
      'Will the picture show up in the chat? Does a preview count as a view? QR code',
      'Copy the link again',
    ],
    text: () =>
      'Paste it into any chat or email, or show its QR code. The preview there is **neutral**: no picture, no name, only that a private album is waiting. Fetching a preview is never counted as a view.',
  },
  {
    ...links,
    id: 'take-back',
    title: 'Can I take a link back?',
    asks: [
      'I sent it to the wrong person, the wrong guy, the wrong chat, by mistake, by accident',
      'I changed my mind: no more access for Tim',
      'Unshare an album, stop a link, shut down a link, cancel the access of a person',
      'End access right away, make somebody lose access',
      'Can I get a link back after I sent it?',
      'We broke up, he must not see anything any more',
      'Cut off my ex',
      'Stop someone from seeing my album, take away access, remove access',
      'I want the link back, end it now, make a link stop working',
      'How do I revoke? How to close, delete or cancel a link?',
      'Revoke a link, end, stop, cancel, kill, disable, deactivate or turn off access',
      'How do I remove someone, kick a person out, block access after a breakup, change my mind',
      'Unsend, unshare, withdraw, stop sharing my album with him or her',
    ],
    text: ({ leaseSeconds, linkUndoHours }) =>
      `Yes, whenever you want: choose **Revoke** under **Magic links**. From that second no new keys are issued, and open screens close within ${leaseSeconds} seconds. You can restore the link for ${formatCount(linkUndoHours, 'hour')}. Anything captured before then can't be taken back.`,
    own: describeActive,
  },
  {
    ...links,
    id: 'undo-revoke',
    title: 'I revoked a link by mistake. Can I restore it?',
    asks: [
      'Oops, I revoked or closed the wrong one',
      'Give access again after I took it away, unblock a link, reopen',
      'Undo revoke, bring a revoked link back, reactivate, unrevoke, turn on again',
      'Wrong link closed by accident',
    ],
    text: ({ linkUndoHours }) =>
      `Yes, for **${formatCount(linkUndoHours, 'hour')}**: tap **Undo** right away, or open the link later and restore it. It works again under the same address. After that, create a new one.`,
  },
  {
    ...links,
    id: 'lock-everything',
    title: 'How do I close everything at once?',
    page: '/profile/security',
    asks: [
      'Emergency shut down, freeze everything, protect me now, kill switch',
      'Close all links now, end all links at once, stop everything',
      'Somebody stole my phone, my account was hacked',
      'Big red button, emergency stop',
      'Panic button, emergency, revoke all links, shut everything down, lock my account now',
      'My phone was stolen or lost, I was hacked, someone is in my account',
    ],
    text: ({ linkUndoHours }) =>
      `Under **Profile → Security**, tap **Lock everything now**: it revokes all your links, closes every open screen and signs out every device but this one. Each link can be restored for ${formatCount(linkUndoHours, 'hour')}.`,
    own: describeActive,
  },
  {
    ...links,
    id: 'notify-me',
    title: 'Do you tell me when someone opens my link?',
    asks: [
      'Do I get an email when the link is opened? Tell me if somebody looked',
      'Tell me when he opens it, do I get a message when someone looks?',
      'Let me know when it was viewed for the first time',
      'Notification, alert, ping or email when it is opened or viewed',
      'Turn the messages about openings off or on',
    ],
    text: () =>
      "Yes, in your studio: the first opening of a link is announced on whatever page you're on, and **Looking now** shows who is there. Open the link to choose **Notify me**: at the first opening, every time or never.",
    own: describeUnopened,
  },
  {
    ...links,
    id: 'link-status',
    title: 'What do Active, Expired and Revoked mean?',
    asks: [
      'What does expired mean in the list? What does revoked mean?',
      'Which links are active? Show my unused links',
      'Badge, status, state or colour of a link in the list',
      'Filter my links, find a link, search, unopened links',
    ],
    text: () =>
      '**Active** links open. **Expired** ones have reached their end and can be extended. **Revoked** ones were ended by you; that word wins over Expired. The list can be filtered by these, and by links that were never opened.',
    own: (state) => [describeActive(state), describeUnopened(state)].filter((text) => text !== undefined).join(' '),
  },
  {
    ...links,
    id: 'link-limit',
    title: 'How many links can I have?',
    asks: ['How many links can I make? Too many links', 'Maximum number of links, unlimited links, limit'],
    text: ({ links: most }) =>
      `Up to **${formatCount(most, 'active link')}** at a time. Expired and revoked ones don't count.`,
    own: describeActive,
  },
];
