import type { CallTrouble } from '../sandbox-parts.ts';
import { SandboxError } from './books.ts';

const words: Readonly<Record<CallTrouble['status'], [code: string, words: string]>> = {
  401: ['api_key_expired', 'Expired API Key provided.'],
  403: ['', 'The provided key does not have the required permissions for this endpoint.'],
  409: ['idempotency_key_in_use', 'There is currently another in-progress request using this idempotency key.'],
};

/** What calls meet instead of being done. */
export interface Troubles {
  set(trouble: CallTrouble | undefined): void;
  /** @throws SandboxError where a call meets one just now */
  check(endpoint: string): void;
}

export function createTroubles(): Troubles {
  let met: CallTrouble | undefined;
  return {
    set: (trouble) => {
      met = trouble;
    },
    check(endpoint) {
      if (met === undefined || (met.endpoint ?? endpoint) !== endpoint) return;
      throw new SandboxError(met.status, ...words[met.status]);
    },
  };
}
