import { formatCount } from '#kit/text.ts';
import type { AutoResponse, Policy } from '../policy.ts';

type Protection = Pick<Policy, 'mark' | 'recipientInMark' | 'holdToView' | 'blurWhenUnfocused' | 'autoResponse'>;

/** The looks of the visible mark, as a link chooses them. */
export const markNames: Readonly<Record<Policy['mark'], string>> = {
  album: 'Same as album',
  tiled: 'Across the whole picture',
  corner: 'In a corner',
  off: 'Invisible only',
};

const markWords: Readonly<Record<Policy['mark'], string | undefined>> = {
  album: undefined,
  tiled: 'marked all over',
  corner: 'marked in a corner',
  off: 'no visible mark',
};

/** What a link does by itself when somebody tries to copy. */
export const responseNames: Readonly<Record<AutoResponse['do'], string>> = {
  none: 'Nothing by itself',
  warn: 'Warn them',
  close: 'Close their view',
  revoke: 'Revoke the link',
};

const responseWords: Readonly<Record<AutoResponse['do'], string | undefined>> = {
  none: undefined,
  warn: 'warns',
  close: 'closes',
  revoke: 'is revoked',
};

function nameResponse({ do: act, threshold }: AutoResponse): string | undefined {
  const words = responseWords[act];
  return words && `${words} after ${formatCount(threshold, 'attempt')} to copy`;
}

/** Returns what of a link's protection differs from every other link's: "hold to view", "marked in a corner". */
export const nameProtection = ({
  mark,
  recipientInMark,
  holdToView,
  blurWhenUnfocused,
  autoResponse,
}: Protection): string[] =>
  [
    holdToView ? 'hold to view' : undefined,
    markWords[mark],
    recipientInMark ? 'their name in the mark' : undefined,
    blurWhenUnfocused ? undefined : 'visible beside other windows',
    nameResponse(autoResponse),
  ].filter((words) => words !== undefined);

/** Returns who reads the name that a link is made for, as the field says it where it is typed. */
export const describeNameReaders = ({ recipientInMark }: Pick<Policy, 'recipientInMark'>): string =>
  recipientInMark ? 'Whoever opens the link sees it in the visible mark.' : 'Only you see it.';
