import { cleanLine, cleanText } from '#kit/clean-text.ts';
import { dayMs, minuteMs } from '#kit/time.ts';

/** One piece of what an email says; its plain text and its HTML are both made of these. */
export type Part =
  | { kind: 'words'; words: string }
  | { kind: 'code'; code: string }
  | { kind: 'facts'; facts: string[] }
  | { kind: 'list'; lines: { words: string; address: string }[] }
  | { kind: 'link'; words: string; label: string; address: string };

/**
 * `account` is what a person asked for or has to know – codes, passwords, security, receipts – and is always sent. `notice` is
 * what they may do without: it carries a way to unsubscribe, and a suppressed address gets none.
 */
export type EmailKind = 'account' | 'notice';

/** What an email says. Subjects are neutral: a lock screen shows them to anybody. */
export interface EmailText {
  template: string;
  kind: EmailKind;
  subject: string;
  parts: Part[];
  /** The parts as plain text. */
  text: string;
  /** For how long it is of use: so long it is tried to send it. */
  lifeMs: number;
  /** It carries a code or link that expires: it goes before others, and its text is of no use to anybody afterwards. */
  isUrgent: boolean;
}

/** Receipts and the like wait as long as mail servers do; news of yesterday is none. */
const lifeMs = { account: 5 * dayMs, notice: dayMs } as const satisfies Record<EmailKind, number>;

const writeEmail =
  (kind: EmailKind) =>
  (template: string, subject: string, ...parts: (string | Part)[]): EmailText => {
    const whole = parts.map((part) => cleanPart(typeof part === 'string' ? { kind: 'words', words: part } : part));
    const words = { subject: cleanLine(subject), parts: whole, text: textOf(whole) };
    return { template, kind, ...words, lifeMs: lifeMs[kind], isUrgent: false };
  };

/** A fact is one line, and so is what a list says: nobody's name makes a line of its own there. */
function cleanPart(part: Part): Part {
  if (part.kind === 'words') return { ...part, words: cleanText(part.words) };
  if (part.kind === 'code') return { ...part, code: cleanLine(part.code) };
  if (part.kind === 'facts') return { ...part, facts: part.facts.map(cleanLine) };
  if (part.kind === 'list')
    return {
      ...part,
      lines: part.lines.map(({ words, address }) => ({ words: cleanLine(words), address: cleanLine(address) })),
    };
  return { ...part, words: cleanText(part.words), label: cleanLine(part.label), address: cleanLine(part.address) };
}

export const accountEmail = writeEmail('account');
export const noticeEmail = writeEmail('notice');

/** Limits an email to the time for which the code or link in it works. */
export const validFor = (minutes: number, email: EmailText): EmailText => ({
  ...email,
  lifeMs: minutes * minuteMs,
  isUrgent: true,
});

export const code = (digits: string): Part => ({ kind: 'code', code: digits });
export const facts = (...lines: string[]): Part => ({ kind: 'facts', facts: lines });
/** Returns what somebody wrote, line by line. */
export const quote = (text: string): Part => facts(...text.split('\n'));
/** @param label what its button says; the plain text shows the address instead */
export const link = (words: string, label: string, address: string): Part => ({ kind: 'link', words, label, address });

export const ignore = "If this wasn't you, you can ignore this email. Nothing will happen.";

/** An email as plain text, with its signature. */
export const textOf = (parts: readonly Part[]): string => `${parts.map(textOfPart).join('\n\n')}\n\n– PrivateFans\n`;

function textOfPart(part: Part): string {
  if (part.kind === 'words') return part.words;
  if (part.kind === 'code') return `    ${part.code}`;
  if (part.kind === 'facts') return part.facts.map((fact) => `    ${fact}`).join('\n');
  if (part.kind === 'list') return part.lines.map(({ words, address }) => `${words}\n${address}`).join('\n\n');
  return `${part.words}\n${part.address}`;
}
