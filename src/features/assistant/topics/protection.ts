import { formatBytes, formatCount } from '#kit/text.ts';
import { answers } from '../questions.ts';
import type { Topic } from './topic.ts';

const albums = { group: 'protection', page: '/albums' } as const;

/** What makes copying hard and traceable, and what does not. */
export const protectionTopics: readonly Topic[] = [
  {
    ...albums,
    id: 'screenshots',
    title: 'Can somebody screenshot or download my pictures?',
    page: '/',
    asks: [
      'Will I know if he screenshots? Notification about a screenshot',
      'Stop people from saving, recording or capturing my pictures',
      'Can they take screenshots? Is it possible to screenshot?',
      'What if someone films, photographs or records the screen?',
      'Can viewers download, save, keep or copy what I send?',
      'Do you block, prevent or stop screenshots, screen recording, print screen, screen capture?',
      'What if he takes a picture of the screen with another phone?',
      'He could just photograph his monitor',
      'Can people save, right click, copy, steal or record my videos? Download protection',
      'Will I be told when somebody screenshots?',
    ],
    text: answers.screenshots,
  },
  {
    ...albums,
    id: 'how-protected',
    title: 'How are my pictures protected?',
    page: '/',
    asks: [
      'Can hackers get my photos? Data breach, stolen from your server',
      'What makes this safe? How do you keep my pictures private?',
      'Is this safe? Is this a scam, legit, trustworthy, serious?',
      'Are my files encrypted? How secure is it?',
      'How do you protect me and my content?',
      'Is it safe and secure? Can I trust you? Security, encryption, encrypted, end to end, hacker, breach',
      'What protection do you offer? How safe are my nudes with you?',
    ],
    text: ({ leaseSeconds }) =>
      `Photos and videos have no address. They travel as **encrypted pieces**, with keys that are lent to one viewer for ${leaseSeconds} seconds at a time and are refused once you revoke. They're drawn, not linked, so saving, dragging and printing give nothing away. Each viewer's copy carries its own mark. No website can prevent a screenshot: we make copying **hard, and traceable**.`,
  },
  {
    ...albums,
    id: 'visible-mark',
    title: 'Can I put a visible watermark on my photos?',
    asks: [
      'Remove the text or name from the picture',
      'Where do I switch the watermark on or off?',
      'Put my name over the images, name on the pictures',
      'Can I have a logo on it? Is there a watermark?',
      'Watermark, logo, stamp, name across the picture, overlay, text on image',
      'Turn the watermark off, corner or tiled',
    ],
    text: () =>
      'Yes: your name and a code for each viewer, **everywhere** or **in a corner**. Set it in the album’s **Settings**, or for one link under its **Protection**. Your own files are never changed.',
  },
  {
    ...albums,
    id: 'invisible-mark',
    title: 'What is the invisible mark?',
    asks: [
      'Does every viewer get a different picture? Unique copy for each viewer',
      'How does the hidden watermark work? Secret code in the image',
      'How do you know which copy it was? What makes a copy traceable?',
      'Hidden watermark, forensic, fingerprint inside the picture, steganography, invisible watermarking',
      'Does it survive cropping, compression, editing? Can it be removed?',
    ],
    text: () =>
      'Every viewer is given a different combination of two nearly identical versions of each part of a picture. A leaked copy can be compared with every link that showed it. It is always on, and you can’t see it. It often survives resizing and compression, but not everything: a small crop, a redrawn picture or a strong edit may hold too little of it.',
  },
  {
    ...albums,
    id: 'found-leak',
    title: 'I found a leaked copy. What can I do?',
    asks: [
      'How does tracing work? Trace a leak, track down the leaker',
      'My video got reposted on Telegram, somebody sells my pictures',
      'Use a leaked screenshot to find the person',
      'My nudes are on Reddit, my pictures are on another site',
      'Who leaked my picture? How do I find out who it was?',
      'Leaker wanted',
      'I found my video on a website; check a copy',
      'What do I do if my content gets leaked?',
      'My pictures were leaked, stolen, posted, published or shared without my permission, reposted online',
      'Who leaked it? Find the leaker, trace a leak, check a screenshot against my links',
      'Someone put my photos or nudes on Twitter, Reddit, Telegram or a porn site, take them down',
    ],
    text: ({ clipBytes, clipMinutes }) =>
      `Open the album, go to **Found a leak?** and upload the copy: a photo, a screenshot, or a clip of up to ${formatBytes(clipBytes)} and ${formatCount(clipMinutes, 'minute')}. We compare it with every link the picture was shown through. If it can be read, you see the link and viewer, and the chance of being wrong. Then **revoke the link and block the viewer**. We can't remove pictures from other websites; ask the site to do it.`,
  },
  {
    ...albums,
    id: 'trace-certainty',
    title: 'How certain is a trace?',
    asks: [
      'Is tracing reliable? How accurate is the result?',
      'Is the trace proof in court? How sure can I be?',
      'Could it blame an innocent person?',
      'Proof, evidence, court, police, lawyer, reliable, accurate, false accusation of the wrong person',
      'Probable, result of the leak check',
    ],
    text: () =>
      'It says so in numbers: the chance of naming the wrong link. Below “probable” nothing is named at all. A result comes with signed evidence as a PDF and a file that software can check, and with a list of what it cannot tell you. A mark shows **which view** a copy came from, not who held the phone.',
  },
  {
    ...albums,
    id: 'block-viewer',
    title: 'How do I block a viewer?',
    page: '/analytics',
    asks: [
      'Never let this guy in again, keep a person out of all my albums',
      'Block a creep, stop one person for ever, keep my ex away',
      'Ban, blacklist, keep somebody out for good, block a person from all my links, creep, ex',
    ],
    text: () =>
      'After a trace, choose **Block viewer** beside the name: none of your links open for them any more, and what they have open closes. They could come back with another browser, so **revoke their link too**.',
  },
  {
    ...albums,
    id: 'blur',
    title: 'What is “Blur when out of focus”?',
    page: '/magic-links',
    asks: [
      'Why does the picture go blurry or disappear when he switches apps?',
      'Picture turns blurry or hides when switching the window or app',
      'Hide the image when the tab is not active',
    ],
    text: () =>
      'It hides the picture as soon as the viewer’s window loses the focus, for instance to a recording program. It’s on unless you turn it off, under **Protection** on the link’s page.',
  },
  {
    ...albums,
    id: 'who-can-see',
    title: 'Who can see my albums?',
    asks: [
      'Are albums private? Who is able to see my photos and videos?',
      'Is my content shown publicly?',
      'Can Google find my albums? Can people search for me?',
      'Do your employees look at my photos? Can you see my pictures?',
      'Who has access to my pictures? Visible to everybody?',
      'Are my albums public? Can strangers, Google or search engines find me? Is it private?',
      'Can the staff, admin, company or operator look at my pictures? Do you sell or use my photos for AI training?',
    ],
    text: () =>
      'Only people who have one of your links, and only while it is active. Albums are listed nowhere, and search engines never see them. Files are stored encrypted; whoever runs this installation holds its master key, so use it only if you trust them. Its administrators see your pictures in one case only: to decide a report or a complaint about a payment, for 30 minutes, marked with their name, and you get the reason by email unless a law forbids it. Your photos are used for nothing else.',
    own: ({ activeLinks }) =>
      activeLinks === 0
        ? 'At the moment **nobody** can: you have no active link.'
        : `At the moment that is whoever holds your **${formatCount(activeLinks, 'active link')}**.`,
  },
  {
    ...albums,
    id: 'report',
    title: 'How do I report a picture?',
    page: '/report',
    asks: [
      'Report a profile, report somebody, illegal pictures of me',
      'Somebody uploaded photos of me without asking',
      'Illegal content, report a user',
      'Report abuse, complaint, someone uploaded me without consent, take down, DMCA, copyright, fake profile',
      'I am in a picture and never agreed, remove pictures of me',
    ],
    text: () =>
      'On the report page, without an account. Say which link or page it is and what is wrong. A complete report of an **intimate image shared without consent** hides it at once; a person decides after that.',
  },
  {
    ...albums,
    id: 'security-events',
    title: 'What are security events?',
    page: '/',
    needs: 'securityEvents',
    asks: ['Screenshot attempt, devtools, suspicious activity, risk high medium low, warnings about a viewer'],
    text: () =>
      'Things a viewer’s browser reported, such as a screenshot shortcut being pressed, or that we saw ourselves. They are **hints**: a screenshot made with a phone’s own buttons is invisible to any website.',
  },
];
