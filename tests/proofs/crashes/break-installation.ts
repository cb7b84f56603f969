import { readRows } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';

/** How a database is broken, and how that is taken back. */
export interface Breach {
  plant: string;
  mend: string;
}

type Run = (statements: string) => Promise<unknown>;
const around = async <T>(run: Run, { plant, mend }: Breach, act: () => Promise<T>): Promise<T> => {
  await run(plant);
  try {
    return await act();
  } finally {
    await run(mend);
  }
};

/** Does something while the database is built otherwise, by the owner of the tables. */
export const whileBroken = <T>(app: TestApp, breach: Breach, act: () => Promise<T>): Promise<T> =>
  around(
    (statements) =>
      app.engines.database.work({ kind: 'system' }, async ({ client }) => {
        await client.query('reset role');
        await client.query(statements);
      }),
    breach,
    act,
  );

/** Does something while rows say something else; the owner of the tables would see none of them. */
export const whileChanged = <T>(app: TestApp, breach: Breach, act: () => Promise<T>): Promise<T> =>
  around((statements) => readRows(app, statements), breach, act);

/** A breach by which the database does something else before (or instead of) what it is told to. @param body in PL/pgSQL */
export const breachAt = (when: string, table: string, body: string): Breach => ({
  plant: `create function planted_${table}() returns trigger language plpgsql as $$ begin ${body} end $$;
    create trigger planted ${when} on ${table} for each row execute function planted_${table}()`,
  mend: `drop trigger planted on ${table}; drop function planted_${table}()`,
});
