import { once } from 'node:events';
import { connect } from 'node:tls';
import type { Installation } from '#engines/engines.ts';
import { formatCount } from '#kit/text.ts';
import { dayMs } from '#kit/time.ts';
import type { Finding } from './pulse.ts';

const [soonDays, nowDays] = [21, 3];

/** Looks at the certificate that browsers are shown, from here. */
export async function lookAtCertificate({ publicUrl }: Installation, nowMs: number): Promise<Finding> {
  const { protocol, hostname, port } = new URL(publicUrl);
  if (protocol !== 'https:') return { light: 'off', finding: `${publicUrl} has no certificate.` };
  const socket = connect({
    host: hostname,
    port: Number(port || 443),
    servername: hostname,
    timeout: 4000,
    // It is looked at, and nothing is sent: who may have signed it is for browsers to say.
    rejectUnauthorized: false,
  });
  try {
    socket.once('timeout', () => socket.destroy(new Error('It did not answer.')));
    await once(socket, 'secureConnect');
    return judgeCertificate(hostname, Date.parse(socket.getPeerCertificate().valid_to), nowMs);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { light: 'amber', finding: `${hostname} could not be reached from this machine: ${why}` };
  } finally {
    socket.destroy();
  }
}

/** What an end of validity means. */
export function judgeCertificate(hostname: string, endsMs: number, nowMs: number): Finding {
  const days = Math.floor((endsMs - nowMs) / dayMs);
  const finding = `The certificate of ${hostname} ends in ${formatCount(days, 'day', 'days')}.`;
  if (days < 0) return { light: 'red', finding: `The certificate of ${hostname} has ended.` };
  if (days < nowDays) return { light: 'red', finding };
  return { light: days < soonDays ? 'amber' : 'green', finding };
}
