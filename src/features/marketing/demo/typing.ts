/** How a text is typed. */
export interface Pace {
  /** Before its first character, in milliseconds. */
  delayMs?: number;
  /** For each character, 50 to 100 milliseconds. */
  stepMs?: number;
}

const usualStepMs = 100;

/** Returns how many characters of a text stand there. @param ms since its scene began */
export function typedLength(text: string, ms: number, { delayMs = 0, stepMs = usualStepMs }: Pace = {}): number {
  return Math.min(lettersOf(text).length, Math.max(0, Math.floor((ms - delayMs) / stepMs)));
}

/** Milliseconds until a text stands whole. */
export function typingMs(text: string, { delayMs = 0, stepMs = usualStepMs }: Pace = {}): number {
  return delayMs + lettersOf(text).length * stepMs;
}

/** A text cut where the typing is. */
export function cutTyped(text: string, length: number): { typed: string; rest: string } {
  const letters = lettersOf(text);
  return { typed: letters.slice(0, length).join(''), rest: letters.slice(length).join('') };
}

/** By code points, so that no character is ever shown by half. */
const lettersOf = (text: string): string[] => [...text];
