import { useQuery } from '@tanstack/react-query';
import { ImageOff } from 'lucide-react';
import { useParams } from 'react-router';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { previews } from '../preview/previews-calls.tsx';
import { PreviewComing, PreviewScreen } from './preview-screen.tsx';

export const meta = () => [{ title: 'Preview · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** What a viewer of a new link to one album sees. */
export default function AlbumPreviewPage() {
  const { albumId = '' } = useParams();
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const query = useQuery(previews.ofAlbum.queryOptions({ input: { albumId, timeZone } }));
  if (query.isPending) return <PreviewComing />;
  if (query.isError) {
    const status = 'status' in query.error ? query.error.status : 0;
    if (status !== 404 && status !== 422)
      return <ErrorState error={query.error} onRetry={() => void query.refetch()} busy={query.isRefetching} />;
    return (
      <EmptyState
        icon={ImageOff}
        title="This album doesn't exist, or isn't yours"
        action={<ButtonLink to="/albums">All albums</ButtonLink>}
      />
    );
  }
  return <PreviewScreen preview={query.data} address={`/preview/albums/${albumId}`} closesTo={`/albums/${albumId}`} />;
}
