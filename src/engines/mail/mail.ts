/** One plain-text mail; no remote pictures, no tracking. */
export interface Letter {
  /** The same for every try, so that a reader's program shows a letter that was sent twice once. */
  id: string;
  to: string;
  subject: string;
  text: string;
}

/** Sends one letter. */
export interface Mail {
  /**
   * @throws LetterRefused when it will never be taken: no further try
   * @throws when the server did not answer or was busy: the outbox tries again
   */
  send(letter: Letter): Promise<void>;
  /** Where letters go, in words for the log. */
  place: string;
}

/** The mail server refused this recipient or this letter for good. */
export class LetterRefused extends Error {
  constructor(cause: unknown) {
    super('The mail server refused the email.', { cause });
    this.name = 'LetterRefused';
  }
}
