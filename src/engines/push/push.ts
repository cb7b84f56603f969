/** One push for one browser. */
export interface PushMessage {
  /** Where its browser's push service takes it. */
  endpoint: string;
  /** What the browser decrypts with, base64url. */
  p256dh: string;
  auth: string;
  payload: string;
  /** By what the push service knows us (RFC 8292): our key pair, base64url, and whom it may write to. */
  vapid: { publicKey: string; privateKey: string; subject: string };
  /** How long the service keeps it for a browser that is away. */
  ttlSeconds: number;
}

/** Sends pushes to browsers. */
export interface Push {
  /** Whether an address that a browser names is one of a push service that we know; no other is ever called. */
  isKnown(endpoint: string): boolean;
  /**
   * @returns `gone` when the service refuses it for good, so that the browser is never asked again
   * @throws when the service did not answer or was busy: it may be tried again
   */
  send(message: PushMessage): Promise<'taken' | 'gone'>;
}
