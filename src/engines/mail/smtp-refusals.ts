/** What a mail server said, and what it was answering to. */
export interface SmtpAnswer {
  responseCode?: number | undefined;
  response?: string | undefined;
  command?: string | undefined;
}

/**
 * Whose matter a refusal is: `no_mailbox` and `recipient` are the recipient's and final; `ours` is about us as the sender, the
 * relay, our settings or what is thought of the email, and may be mended before the email has expired.
 */
export type Refusal = 'no_mailbox' | 'recipient' | 'ours';

/** Address unknown or moved away, mailbox closed (RFC 3463). 5.1.7 and 5.1.8 are about the sender's address. */
const noMailbox: ReadonlySet<string> = new Set(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1']);
/** The mailbox is full. */
const recipients: ReadonlySet<string> = new Set(['5.2.2']);

/** The sender, the relay, a list of blocked networks, a limit or the email itself: never a word about the recipient's mailbox. */
const aboutUs =
  /relay|sender|mail from|authenti|credential|verif|not (permitted|authori[sz]ed|allowed)|blocked|black ?list|blocklist|denylist|spf|dkim|dmarc|spam|reputation|policy|helo|ehlo|reverse|ptr|tls|limit|quota exceeded for (your|this) account|too many|suspended|paused/i;
const aboutMailbox =
  /no such (user|person|recipient|mailbox|address|account)|unknown (user|recipient|mailbox|address)|(user|recipient|mailbox|account|address|inbox)( \S{1,80})? (is |was |has been )?(unknown|unavailable|disabled|inactive|closed|invalid|not (found|known|local|available)|does(n't| not) exist)|invalid (user|recipient|mailbox|rcpt)|(does not|doesn't) have an? .{0,20}(account|mailbox)/i;
const aboutFullMailbox = /over ?quota|(mailbox|inbox)( \S{1,80})? (is )?full|exceeded (its |the )?storage/i;

/** Far longer than a server's reason is read. */
const longestWords = 1000;

/** Reads whether a server had taken us as the sender before it refused. */
export const isAfterSender = ({ command = '' }: SmtpAnswer): boolean => /^(RCPT TO|DATA)/.test(command);

/** Reads what a server's refusal means; what nobody can tell is ours, so that it is tried again and never lost. */
export function readRefusal({ responseCode = 0, response = '', command = '' }: SmtpAnswer): Refusal {
  if (responseCode < 500 || !isAfterSender({ command })) return 'ours';
  const words = response.slice(0, longestWords);
  const [, reason] = /^\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(words) ?? [];
  // Exchange Online refuses unknown recipients by a code that others use for routes.
  if (reason === '5.4.1' && /recipient address rejected: access denied/i.test(words)) return 'no_mailbox';
  if (reason !== undefined) return noMailbox.has(reason) ? 'no_mailbox' : recipients.has(reason) ? 'recipient' : 'ours';
  if (!command.startsWith('RCPT TO') || aboutUs.test(words)) return 'ours';
  if (aboutFullMailbox.test(words)) return 'recipient';
  return aboutMailbox.test(words) ? 'no_mailbox' : 'ours';
}
