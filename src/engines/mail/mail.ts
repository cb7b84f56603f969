/** One plain-text mail; no remote pictures, no tracking. */
export interface Letter {
  to: string;
  subject: string;
  text: string;
}

/** Sends one letter. */
export interface Mail {
  /** @throws when the server refused or did not answer: the outbox tries again */
  send(letter: Letter): Promise<void>;
  place: string;
}
