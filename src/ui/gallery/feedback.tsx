import { Images } from 'lucide-react';
import { Button } from '#ui/buttons/button.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { FullSpinner } from '#ui/feedback/full-spinner.tsx';
import { ProgressBar } from '#ui/feedback/progress-bar.tsx';
import { Skeleton, SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { composeToast } from '#ui/feedback/toast-queue.ts';
import { ToastCard } from '#ui/feedback/toaster.tsx';
import { GallerySection } from '#ui/gallery/gallery-section.tsx';
import { Card } from '#ui/layout/card.tsx';

const undo = { label: 'Undo', onPress: () => undefined };
const samples = [
  composeToast(-1, 'success', {
    title: "Lena's link is revoked",
    message: 'Their screen closed 0.4 s later.',
    action: undo,
  }),
  composeToast(
    -2,
    'success',
    { title: 'Access Granted', message: 'The viewer can now access the album' },
    { isNotification: true },
  ),
  composeToast(-3, 'warning', { title: 'Your storage is almost full', message: '0.4 GB left' }),
  composeToast(-4, 'error', {
    title: "Couldn't create the link",
    message: 'The connection was lost. Try again.',
    details: 'Request 01J9-7F2',
  }),
];

/** Waiting, nothing, failure, success. */
export function Feedback() {
  return (
    <>
      <GallerySection title="Toasts">
        <div className="flex flex-wrap gap-2">
          <Button variant="outline" onClick={() => toast.success({ title: 'Link copied' })}>
            Success
          </Button>
          <Button
            variant="outline"
            onClick={() => toast.error({ title: "Couldn't create the link", message: 'Try again.' })}
          >
            Error
          </Button>
          <Button variant="outline" onClick={() => toast.info({ title: 'Album deleted', action: undo })}>
            With undo
          </Button>
          <Button
            variant="outline"
            onClick={() => toast.notify('info', { title: 'Bob opened Golden hour', message: 'Just now · Germany' })}
          >
            Notification
          </Button>
        </div>
        {samples.map((sample) => (
          <ToastCard key={sample.id} toast={sample} />
        ))}
      </GallerySection>
      <GallerySection title="Waiting, nothing, failure">
        <p className="flex items-center gap-3 text-quiet">
          <Spinner /> Loading app...
        </p>
        <ProgressBar label="Upload of 24 photos" done={0.38} />
        <SkeletonRows rows={2} />
        <Skeleton className="h-29 rounded-card" />
        <EmptyState icon={Images} title="No albums yet" action={<Button>Upload photos</Button>}>
          An album holds the photos you share by link. Nobody sees it until you create one.
        </EmptyState>
        <ErrorState onRetry={() => undefined} />
        <Card tone="rust">
          <h3 className="mb-1 text-17">Subscription required</h3>
          <p className="mb-3">
            Your trial ended on 12 Nov. Your albums are kept; links are closed until you choose a plan.
          </p>
          <Button variant="danger">Choose plan</Button>
        </Card>
      </GallerySection>
      <GallerySection title="The whole screen waits">
        <FullSpinner text="Authenticating..." />
      </GallerySection>
    </>
  );
}
