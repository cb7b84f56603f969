import { makeAdmin } from '#features/accounts/store.ts';
import { makeAdministrator, type Person, signInQuickly, signUpCreator } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { type AdminScope, adminScopes } from '#wire/promise.ts';
import type { Actor } from './actors.ts';

/**
 * Administrators of each scope alone, and one who has set up no second factor. They are asked about the operator's desk only: in
 * everything else they are like every other account.
 */
export async function makeAdministrators(app: TestApp): Promise<Actor[]> {
  const scopes = adminScopes.filter((scope) => scope !== 'owner');
  return [await makeWithoutFactor(app), ...(await Promise.all(scopes.map((scope) => makeOfScope(app, scope))))];
}

const onlyDesk = { owns: 'own', visits: undefined, isOnlyAtDesk: true } as const;
const signInAs = ({ userId }: Person, app: TestApp) => ({ signIn: () => signInQuickly(app, userId) });

async function makeOfScope(app: TestApp, scope: AdminScope): Promise<Actor> {
  const person = await signUpCreator(app, { email: `${scope}@example.com` });
  await makeAdministrator(app, person, [scope]);
  const { browser } = person;
  return { name: `admin of ${scope}`, browser, ...onlyDesk, may: 'admin', scopes: [scope], ...signInAs(person, app) };
}

/** Their role gives nothing until they have a second factor. */
async function makeWithoutFactor(app: TestApp): Promise<Actor> {
  const person = await signUpCreator(app, { email: 'without-factor@example.com' });
  await app.engines.database.work({ kind: 'system' }, (tx) => makeAdmin(tx, person.email));
  const { browser } = person;
  return { name: 'admin without second factor', browser, ...onlyDesk, may: 'creator', ...signInAs(person, app) };
}
