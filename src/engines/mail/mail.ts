/** One mail; no remote pictures, no tracking. */
export interface Email {
  /** The same for every try, so that a reader's program shows an email that was sent twice once. */
  id: string;
  to: string;
  subject: string;
  text: string;
  /** The same as HTML; left out, the mail is plain text alone. */
  html?: string;
  /** Further headers, such as those by which a mail program unsubscribes. */
  headers?: Readonly<Record<string, string>>;
}

/** Sends one email. */
export interface Mail {
  /**
   * @throws EmailRefused when the recipient's mailbox will never take it: no further try
   * @throws EmailDeferred when the server knows us but took neither this recipient nor this email: it is tried again
   * @throws when it did not answer, was busy, or refused us as the sender: the outbox tries again until the email has expired
   */
  send(email: Email): Promise<void>;
  /** Returns when the server answers and takes us for who we are; sends nothing. @throws when it does not */
  check(): Promise<void>;
  /** Where emails go, in words for the log. */
  place: string;
}

/** The mail server refused this recipient for good. */
export class EmailRefused extends Error {
  /** Whether the reason is that there is no such mailbox: then none will be taken for it. */
  readonly hasNoMailbox: boolean;

  constructor(cause: unknown, { hasNoMailbox = false } = {}) {
    super('The mail server refused the email.', { cause });
    this.name = 'EmailRefused';
    this.hasNoMailbox = hasNoMailbox;
  }
}

/** The mail server takes emails from us, but not this one for this recipient now: one recipient's domain can be the reason. */
export class EmailDeferred extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
    this.name = 'EmailDeferred';
  }
}
