import { openDevToken } from '#app/dev/dev-token.ts';

/** A sandbox on this machine: where it answers, and its data folder, in which the token of /dev lies. */
export interface Sandbox {
  url: string;
  dataDir: string;
}

/** What the browser of a developer sends along who has opened the printed address. */
export const developerHeaders = ({ url, dataDir }: Sandbox): { cookie: string; origin: string } => ({
  cookie: `pf_dev=${openDevToken(dataDir)}`,
  origin: url,
});

/** A mail as the outbox tells it. */
export interface OutboxEmail {
  to: string;
  subject: string;
  text: string;
}

/** All mails, the newest first. */
export async function readOutbox(sandbox: Sandbox): Promise<OutboxEmail[]> {
  const answer = await fetch(`${sandbox.url}/dev/outbox.json`, { headers: developerHeaders(sandbox) });
  if (!answer.ok) throw new Error(`The outbox answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as OutboxEmail[];
}
