import type { Facts } from '../contract.ts';

export interface Stage {
  id: string;
  /** The word on its tab. */
  name: string;
  title: string;
  text: string;
  /** What stops at this place. */
  stops: string;
}

/** One photo's way from their phone to one viewer, and back. */
export const listStages = ({ leaseSeconds }: Pick<Facts['limits'], 'leaseSeconds'>): readonly Stage[] => [
  {
    id: 'phone',
    name: 'Your phone',
    title: 'You choose a photo',
    text: 'It is sent in pieces, so a bad line does no harm. Location, device and time are removed before anyone sees it, and your original is stored encrypted: only you can download it.',
    stops: 'Anyone who hopes to learn from a photo where you live.',
  },
  {
    id: 'pieces',
    name: 'Pieces',
    title: 'It becomes encrypted tiles, each in two versions',
    text: 'The photo is cut into about 256 tiles. Each is made twice, A and B, with a difference that nobody can see, and each of those is encrypted under a key of its own. What lies on the server is noise.',
    stops: 'Whoever copies the files: without the keys they show nothing.',
  },
  {
    id: 'rules',
    name: 'Your rules',
    title: 'The link carries your conditions',
    text: 'For Bob, for 24 hours from first look, with a password: whatever you chose is asked each time. One rule decides, in one place, and when it says no there is nothing to see.',
    stops: 'Everyone the link is not for, and everyone after its end.',
  },
  {
    id: 'keys',
    name: 'Keys',
    title: 'This viewer gets keys to their own pattern',
    text: `For every tile, A or B: a pattern that belongs to this viewer and nobody else. The keys last ${leaseSeconds} seconds. As long as the screen is open they are renewed, and each time your rules are asked again.`,
    stops: 'Saving for later, and passing an address on: there is no address.',
  },
  {
    id: 'picture',
    name: 'Picture',
    title: 'Tiles become a picture on their screen',
    text: 'It is drawn, not linked. You see that they are looking, at which photo, and for how long.',
    stops: 'Save as, drag, print, copy. Not a camera in front of the screen.',
  },
  {
    id: 'revoke',
    name: 'Revoke',
    title: 'You take it back',
    text: `From that second no more keys are issued. The open screen goes dark, at the latest when its last keys run out after ${leaseSeconds} seconds.`,
    stops: 'Every further look. Not what was captured before.',
  },
  {
    id: 'trace',
    name: 'Trace',
    title: 'A copy names its link',
    text: 'Upload a copy that has leaked. Its tiles are compared with A and B, the pattern is read, and you learn whose link it came from, with a chance in numbers and a signed document.',
    stops: 'The belief that nobody will ever know.',
  },
];

/** Both columns are equally long on purpose. */
export const abilities: readonly { does: string; cannot: string }[] = [
  { does: 'Keeps files unreadable without keys', cannot: 'Protect a phone that somebody else controls' },
  { does: 'Closes an open screen when you revoke', cannot: 'Take back what was captured before' },
  { does: 'Makes saving, dragging and printing useless', cannot: 'Prevent a screenshot or a photo of the screen' },
  {
    does: 'Traces most copies to their link, with a chance in numbers',
    cannot: 'Trace a copy that was cut or blurred beyond recognition',
  },
  { does: 'Shows who looked, when and for how long', cannot: 'Know who else was in the room' },
];
