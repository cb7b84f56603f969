import { ImageOff } from 'lucide-react';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';

/** Missing, or somebody else's: said alike. */
export function MissingAlbum() {
  return (
    <EmptyState icon={ImageOff} title="Oops! Page not found" action={<ButtonLink to="/albums">All albums</ButtonLink>}>
      This album doesn't exist, or isn't yours.
    </EmptyState>
  );
}
