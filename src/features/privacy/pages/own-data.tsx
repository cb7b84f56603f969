import { DeleteAccount } from './delete-account.tsx';
import { ExportData } from './export-data.tsx';

/** What is kept of a creator, to take along and to end. */
export function OwnData() {
  return (
    <div className="grid max-w-160 gap-8">
      <ExportData />
      <DeleteAccount />
    </div>
  );
}
