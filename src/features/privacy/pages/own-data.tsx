import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { Card } from '#ui/layout/card.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { ExportData } from './export-data.tsx';

/** What is kept of a creator, to take along and to end. */
export function OwnData() {
  return (
    <div className="grid max-w-160 gap-8">
      <ExportData />
      <section>
        <SectionHeader title="Reports" />
        <Card className="grid justify-items-start gap-4">
          <p className="text-quiet">
            If someone reports one of your links and it is closed, you find the reasons there, and can answer and
            appeal.
          </p>
          <ButtonLink to="/account/reports" variant="outline">
            Show reports
          </ButtonLink>
        </Card>
      </section>
      <DeleteAccount />
    </div>
  );
}
