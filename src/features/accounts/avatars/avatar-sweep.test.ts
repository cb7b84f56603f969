import { afterAll, beforeAll, expect, test } from 'vitest';
import { readRows, signUpCreator } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { saveAvatar } from '../saving-avatars.ts';
import { avatarFolder, avatarPath, newAvatarName, sealAvatar } from '../stored-avatar.ts';
import { forgetLostQueue, sweepAvatars } from './avatar-sweep.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const listFiles = async () => {
  const files: string[] = [];
  for await (const file of app.engines.storage.list(avatarFolder)) files.push(file);
  return files.sort();
};
const picture = { large: Buffer.from('large'), small: Buffer.from('small') };
const waiting = () =>
  readRows(app, `select start_after - created_on as rest from pgboss.job where name = '${forgetLostQueue}'`);

test('a picture that a crash left between its file and its row is removed an hour later, and no other', async () => {
  const { userId } = await signUpCreator(app);
  const shown = await saveAvatar(app.engines, userId, picture, 'shown');
  const kept = avatarPath(shown.split('/').at(-1) ?? '');
  await sweepAvatars(app.engines);
  expect(await waiting(), 'nothing is lost').toEqual([]);

  const [lost, named] = [newAvatarName(), newAvatarName()];
  for (const name of [lost, named]) await app.engines.storage.put(avatarPath(name), sealAvatar(name, picture.large));
  await sweepAvatars(app.engines);
  expect(await waiting()).toMatchObject([{ rest: { hours: 1 } }]);
  expect(await listFiles(), 'they have their hour').toEqual([kept, avatarPath(lost), avatarPath(named)].sort());

  // One of them was only slow: its row names it before the hour is over.
  const other = await signUpCreator(app);
  await readRows(app, `update users set avatar_name = '${named}', avatar_small = 'x' where id = '${other.userId}'`);
  await readRows(app, `update pgboss.job set start_after = now() where name = '${forgetLostQueue}'`);
  await expect.poll(listFiles).toEqual([kept, avatarPath(named)].sort());
});
