import * as z from 'zod';
import { type SettingKey, settingRules } from '#features/settings/rules.ts';
import { trimmedText } from '#kit/bounded-text.ts';
import { adminPromise } from '#wire/promise.ts';

const tags = ['admin'];

const Key = z.enum(Object.keys(settingRules) as [SettingKey, ...SettingKey[]], 'There is no such setting');
/** The longest text that a setting takes is shorter; its own bound is checked with it. */
const Value = z.union([z.int(), trimmedText(1000, 'Use at most 1,000 characters')]);

/** A setting as it is in force, and who changed it last. */
export const ListedSetting = z.object({
  key: Key,
  value: z.union([z.int(), z.string()]),
  /** Null for one that nobody ever changed. */
  changed: z
    .object({
      at: z.date(),
      by: z.enum(['command_line', 'administrator']),
      /** Null for the command line, and for an account that is gone. */
      email: z.string().nullable(),
    })
    .nullable(),
});
export type ListedSetting = z.infer<typeof ListedSetting>;

/** The limits, prices and switches of an installation. */
export const adminSettingsContract = {
  list: adminPromise('owner')
    .route({ method: 'GET', path: '/admin/settings', tags })
    .input(z.object({}).optional())
    .output(z.object({ settings: z.array(ListedSetting) })),
  /** Changes one setting, unless somebody else has changed it since it was read. */
  change: adminPromise('owner')
    .route({ method: 'POST', path: '/admin/settings', tags })
    .input(
      z.object({
        key: Key,
        /** Null for the default. */
        value: Value.nullable(),
        /** The value that it replaces. */
        seen: Value,
      }),
    )
    .output(z.object({ value: z.union([z.int(), z.string()]) })),
};
