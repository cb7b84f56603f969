import { AlbumSettings } from '#features/albums/album-settings.tsx';
import { PeopleCard } from '#features/consents/people-card.tsx';
import { LinkDefaults } from './link-defaults.tsx';

/** The tab of an album on which everything about it is set. */
export default function AlbumSettingsPage() {
  return (
    <AlbumSettings>
      <PeopleCard />
      <LinkDefaults />
    </AlbumSettings>
  );
}
