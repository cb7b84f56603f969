import { formatCount } from '#kit/text.ts';
import type { AutoResponse, Policy } from '../policy.ts';

type Protection = Pick<Policy, 'mark' | 'holdToView' | 'blurWhenUnfocused' | 'autoResponse'>;

/** The looks of the visible mark, as a link chooses them. */
export const markNames: Readonly<Record<Policy['mark'], string>> = {
  album: 'As the album has it',
  tiled: 'Across the whole picture',
  corner: 'In a corner',
  off: 'None',
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
export const nameProtection = ({ mark, holdToView, blurWhenUnfocused, autoResponse }: Protection): string[] =>
  [
    holdToView ? 'hold to view' : undefined,
    markWords[mark],
    blurWhenUnfocused ? undefined : 'visible beside other windows',
    nameResponse(autoResponse),
  ].filter((words) => words !== undefined);
