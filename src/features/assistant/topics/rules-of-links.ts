import type { Topic } from './topic.ts';

const links = { group: 'links', page: '/magic-links' } as const;

/** What a link asks of a viewer, and what it says. */
export const linkRuleTopics: readonly Topic[] = [
  {
    ...links,
    id: 'timed-viewing',
    title: 'Can I limit how long someone looks?',
    asks: [
      'Photos that vanish or disappear after an hour',
      'Watch it for five minutes only, limited time, one hour after opening',
      'View only once, burn after reading, see once',
      'Only viewed once and then gone, one look only, vanish',
      'They should only have ten minutes to watch',
      'Limit the time, how long they can look, watch time limit',
      'View once, one time only, disappearing pictures, self destruct, self-destructing, like Snapchat',
      'Timer, viewing time, minutes in total, 24 hours from the first opening, countdown, time budget',
    ],
    text: () =>
      "Yes. In the link's sentence, tap **any time** and choose either a span after the first opening, such as 24 hours, or a **total viewing time**, such as 10 minutes. The total only runs while something of yours is on the screen.",
  },
  {
    ...links,
    id: 'viewer-limit',
    title: 'Can I limit a link to one person?',
    asks: [
      'Prevent the sharing or forwarding of my link',
      'Somebody forwarded my link, two people use the same link',
      'One link, one person; lock the link to a device',
      'What if he sends it to his friends? Can a link be forwarded or passed on?',
      'Only one person should be able to open it, one user',
      'Can more people use the same link? How many people can open a link?',
      'What if they forward, pass on or share my link with others? Stop forwarding, resending',
      'Only one device, first person only, maximum number of people or viewers',
      'Make sure nobody else can open it, single user',
    ],
    text: () =>
      "Yes. Tap **anyone who has it** in the link's sentence and choose **Only the first person who opens it**, or as many people as you say. Whoever comes later is told that the link isn't available. To bind it to one person, tap **Add a rule**, then **Email address**: only who confirms that address gets in.",
  },
  {
    ...links,
    id: 'link-password',
    title: 'Can I protect a link with a password?',
    asks: [
      'How do I put a code or a password on a link?',
      'Set a PIN or a password for a link or album',
      'Extra protection by a password',
      'Can I put a password on it? Add a code, protect with a password',
      'The password of a link was forgotten by my viewer, wrong password for the album',
      'Lock a link with a passcode, pin, secret word, code for the album',
      'Remove or change the password of a link',
    ],
    text: () =>
      "Yes. Add a password of at least 6 characters to the link, and send it **separately** from the link. After too many wrong tries the link waits, and you're told; people on a network that keeps guessing also prove an email first.",
  },
  {
    ...links,
    id: 'age-check',
    title: 'Can a link ask for the viewer’s age?',
    asks: [
      'Turn off the 18 question, why are they asked how old they are?',
      'Can minors open my link? Verify that my viewers are adults',
      'Age gate, adults only, 18+ question, are you 18 or older, turn off the age check',
    ],
    text: () =>
      'Yes, and it does unless you turn it off: viewers are asked “Are you 18 or older?” before they see anything. Tap **adults only** in the link’s sentence to change that.',
  },
  {
    ...links,
    id: 'link-names',
    title: 'How do I know which link is whose?',
    asks: [
      'How do I see which link I gave to whom? Keep track of my links',
      'Can he see the name that I gave the link? Does the recipient see my note?',
      'Remember who got which link',
      'Name a link, label, recipient name, note, who did I send it to',
      'Does the viewer see the name I typed?',
    ],
    text: () =>
      'Write who it’s for when you create it, and give it a name or a note later if you like. **Only you** see the name, the note and the channel.',
  },
  {
    ...links,
    id: 'welcome-text',
    title: 'Can I greet my viewer?',
    asks: [
      'Put a personal note on top, say hello to my viewer',
      'Add a few words, a greeting or a message for the viewer',
      'Write something above the photos',
      'Welcome message, personal note, greeting, text above the first picture, say something to them',
    ],
    text: () => 'Yes. Each link has a **Welcome text** of its own, shown with your name above the first picture.',
  },
  {
    ...links,
    id: 'several-albums',
    title: 'Can one link show several albums?',
    asks: [
      'Two albums in one link, more than one album for a person',
      'Bundle, combine, multiple albums in one link, add another album to a link',
    ],
    text: ({ albumsPerLink }) =>
      `Yes, up to **${albumsPerLink}**. Tap the album’s name in the sentence and add more. What you add to an album later is shown by its links too.`,
  },
  {
    ...links,
    id: 'change-link',
    title: 'Can I change a link after I sent it?',
    asks: [
      'Edit the expiry, password or limit of an existing link',
      'Change the rules afterwards, edit a link that I already sent',
      'Add a password later, change a link later',
      'Edit the rules of a link, modify or adjust a link, update settings of a sent link',
    ],
    text: () =>
      "Yes. Open it under **Magic links** and change its rules; the address stays the same. New rules count from the viewer's next request, also on screens that are open.",
  },
];
