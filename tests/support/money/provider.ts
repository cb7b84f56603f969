import type { Database } from '#engines/database/database.ts';
import type { Payments } from '#engines/payments/payments.ts';
import { openSandbox } from '#engines/payments/sandbox/sandbox.ts';
import type { Exchange } from '#engines/payments/sandbox/server.ts';
import type { Sandbox } from '#engines/payments/sandbox-parts.ts';
import { openTestDatabase } from '../database/test-database.ts';
import { type ExchangeCheck, openExchangeCheck } from './exchange-check.ts';

/** The built-in provider alone, without an app. */
export interface Provider {
  database: Database;
  payments: Payments;
  sandbox: Sandbox;
  /** Hears every request and answer. */
  check: ExchangeCheck;
  /** What it complained of. */
  logged: object[];
  now(): number;
  /** Lets time go by. */
  pass(ms: number): void;
  close(): Promise<void>;
}

/** Opens it on a database of its own. */
export async function openProvider({
  onExchange,
}: {
  onExchange?: (exchange: Exchange) => void;
} = {}): Promise<Provider> {
  const database = await openTestDatabase();
  const check = openExchangeCheck();
  const logged: object[] = [];
  let turnedMs = 0;
  const now = () => Date.now() + turnedMs;
  const { payments, sandbox } = openSandbox({
    database,
    clock: () => Date.now(),
    sandboxClock: now,
    publicUrl: 'http://localhost:3000',
    log: { error: (about) => void logged.push(about) },
    onExchange(exchange) {
      check.receive(exchange);
      onExchange?.(exchange);
    },
  });
  return {
    database,
    payments,
    sandbox,
    check,
    logged,
    now,
    pass(ms) {
      turnedMs += ms;
    },
    async close() {
      await payments.close();
      await database.close();
    },
  };
}
