import type { Report } from './contract.ts';

/** The kinds of report, as the form offers them. */
export const kindOptions: readonly { value: Report['kind']; label: string; hint: string }[] = [
  {
    value: 'intimate',
    label: 'An intimate picture, shared without consent',
    hint: 'Hidden at once if you give its link',
  },
  { value: 'minor', label: 'Someone shown is under 18', hint: 'Hidden at once if you give its link' },
  { value: 'copyright', label: "Someone else's work", hint: 'Decided within 7 working days' },
  { value: 'impersonation', label: 'Someone pretends to be me', hint: 'Decided within 7 working days' },
  { value: 'other', label: 'Something else', hint: 'Decided within 7 working days' },
];

export const whoOptions: readonly { value: Report['onBehalf']; label: string }[] = [
  { value: 'self', label: 'Me' },
  { value: 'other', label: 'Somebody else' },
];
