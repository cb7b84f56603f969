import { statement, type Tx } from '#engines/database/work.ts';
import { tipPresetsCents } from '#features/orders/rules.ts';

export interface TipSettings {
  presetsCents: number[];
  thanks: string;
}

type Source = Pick<Tx, 'query'>;

const settings = statement<TipSettings>(
  'tip_settings_of',
  'select presets_cents as "presetsCents", thanks from tip_settings where user_id = $1',
);

/** What a creator offers and says to whoever tips; the usual where they have chosen nothing. */
export const findTipSettings = async (source: Source, creatorId: string): Promise<TipSettings> =>
  (await source.query(settings, [creatorId]))[0] ?? { presetsCents: [...tipPresetsCents], thanks: '' };

const kept = statement(
  'tip_settings_kept',
  `insert into tip_settings (user_id, presets_cents, thanks) values ($1, $2, $3)
on conflict (user_id) do update set presets_cents = excluded.presets_cents, thanks = excluded.thanks`,
);

export async function keepTipSettings(tx: Tx, creatorId: string, { presetsCents, thanks }: TipSettings): Promise<void> {
  await tx.query(kept, [creatorId, presetsCents, thanks]);
}
