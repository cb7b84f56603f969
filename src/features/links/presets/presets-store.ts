import { statement, type Tx } from '#engines/database/work.ts';

export interface PresetRow {
  id: string;
  name: string;
  policy: unknown;
  /** Null: it never ends. */
  endsAfterHours: number | null;
  isDefault: boolean;
}

const columns = 'id, name, policy, ends_after_hours as "endsAfterHours", is_default as "isDefault"';

const listed = statement<PresetRow>(
  'presets_of_creator',
  `select ${columns} from link_presets where user_id = $1 order by created_at, id limit $2`,
);

/** A creator's presets, oldest first: each keeps its place. */
export const listPresets = (tx: Tx, creatorId: string, most: number): Promise<PresetRow[]> =>
  tx.query(listed, [creatorId, most]);

const one = statement<PresetRow>(
  'preset_of_creator',
  `select ${columns} from link_presets where id = $1 and user_id = $2`,
);

export const findPreset = async (tx: Tx, id: string, creatorId: string): Promise<PresetRow | undefined> =>
  (await tx.query(one, [id, creatorId]))[0];

const counted = statement<{ count: number }>(
  'presets_counted',
  'select count(*)::int as count from link_presets where user_id = $1',
);

export const countPresets = async (tx: Tx, creatorId: string): Promise<number> =>
  (await tx.query(counted, [creatorId]))[0]?.count ?? 0;

const inserted = statement(
  'preset_inserted',
  'insert into link_presets (id, user_id, name, policy, ends_after_hours, created_at) values ($1, $2, $3, $4, $5, $6)',
);

export interface NewPreset {
  id: string;
  creatorId: string;
  name: string;
  policy: object;
  endsAfterHours: number | null;
  now: Date;
}

/** Keeps rules under a name. */
export async function insertPreset(tx: Tx, preset: NewPreset): Promise<void> {
  const { id, creatorId, name, policy, endsAfterHours, now } = preset;
  await tx.query(inserted, [id, creatorId, name, JSON.stringify(policy), endsAfterHours, now]);
}

const renamed = statement('preset_renamed', 'update link_presets set name = $3 where id = $1 and user_id = $2');

/** Gives a preset another name. */
export async function renamePreset(
  tx: Tx,
  { id, creatorId, name }: { id: string; creatorId: string; name: string },
): Promise<void> {
  await tx.query(renamed, [id, creatorId, name]);
}

const undone = statement(
  'preset_default_cleared',
  'update link_presets set is_default = false where user_id = $1 and is_default',
);
const begun = statement(
  'preset_default_set',
  'update link_presets set is_default = true where id = $1 and user_id = $2',
);

/** Says which preset new links begin with; undefined for none. */
export async function setDefaultPreset(tx: Tx, creatorId: string, id: string | undefined): Promise<void> {
  await tx.query(undone, [creatorId]);
  if (id !== undefined) await tx.query(begun, [id, creatorId]);
}

const removed = statement<{ id: string }>(
  'preset_removed',
  'delete from link_presets where id = $1 and user_id = $2 returning id',
);

/** @returns false when this creator has none of this id */
export const deletePreset = async (tx: Tx, id: string, creatorId: string): Promise<boolean> =>
  (await tx.query(removed, [id, creatorId])).length === 1;
