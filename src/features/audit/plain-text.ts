/** Returns what strangers wrote, for a terminal: what would move its cursor or colour it is shown as a dot. */
export const plainText = (text: string): string => text.replace(/[^\P{C}\n]/gu, '·');

/** The same on one line. */
export const plainLine = (text: string): string => plainText(text).replaceAll('\n', ' ');
