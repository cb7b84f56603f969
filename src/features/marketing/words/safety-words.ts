import type { Facts } from '../contract.ts';

/** What the product does for a creator. */
export const listCan = ({ leaseSeconds }: Pick<Facts['limits'], 'leaseSeconds'>): string[] => [
  'Keeps your albums unlisted: there is no profile, no search and no preview for anyone without your link.',
  'Removes location, device and time from every photo and video before anyone sees it.',
  `Shows pictures as encrypted pieces whose keys last ${leaseSeconds} seconds, so there is no file to save and no address to pass on.`,
  `Closes open screens when you revoke a link, at the latest after ${leaseSeconds} seconds.`,
  'Marks each viewer’s pictures invisibly, so that a leaked copy can be traced to the link that showed it.',
  'Shows you who is looking, at which photo or video, and for how long.',
];

/** What nobody should believe of any website. */
export const listCannot: readonly string[] = [
  'Prevent a screenshot or a screen recording: the phone makes it, not the page.',
  'Prevent a photo of the screen with a second phone.',
  'Take back what was already captured.',
  'Trace a copy that has been cropped, blurred or redrawn beyond recognition.',
  'Decide for you whom to trust. Share first what would not hurt you.',
];

/** In this order, because each makes the next one easier. */
export const leakSteps: readonly { title: string; text: string }[] = [
  {
    title: 'Revoke first',
    text: 'In your studio, under Profile, Security, “Lock everything” ends all your links at once. Or revoke the one you suspect.',
  },
  {
    title: 'Keep the evidence',
    text: 'Take screenshots of the page with its address and date, and of any messages. Don’t delete anything, and don’t pay anyone.',
  },
  {
    title: 'Trace the copy',
    text: 'Open the album, choose “Found a leak?” and upload the copy. You learn which link it came from and how sure that is, with a signed document that others can check.',
  },
  {
    title: 'Have it taken down',
    text: 'Report it to the site that shows it. With StopNCII.org you can have it blocked on many large platforms, without uploading the picture.',
  },
  {
    title: 'Get support',
    text: 'The people below know what helps, legally and otherwise. Tell someone you trust.',
  },
  {
    title: 'If you are being threatened',
    text: 'Don’t pay and don’t send more. Keep the messages, stop answering, and go to the police.',
  },
];

interface Hotline {
  name: string;
  href: string;
  text: string;
  phone?: { number: string; shown: string };
}

/** Independent help, free of charge. */
export const hotlines: readonly Hotline[] = [
  {
    name: 'StopNCII.org',
    href: 'https://stopncii.org',
    text: 'Worldwide, from 18. Makes a fingerprint of the picture on your own device, and has matching copies blocked on the platforms that take part.',
  },
  {
    name: 'Take It Down',
    href: 'https://takeitdown.ncmec.org',
    text: 'Worldwide, for pictures from when you were under 18. Works the same way, and anonymously.',
  },
  {
    name: 'Cyber Civil Rights Initiative',
    href: 'https://cybercivilrights.org',
    text: 'United States. Image Abuse Helpline, step-by-step guides and a list of lawyers.',
    phone: { number: '+18448782274', shown: '844-878-2274' },
  },
  {
    name: 'Revenge Porn Helpline',
    href: 'https://revengepornhelpline.org.uk',
    text: 'United Kingdom, from 18. Advice, and help with having pictures removed.',
    phone: { number: '+443456000459', shown: '0345 6000 459' },
  },
];
