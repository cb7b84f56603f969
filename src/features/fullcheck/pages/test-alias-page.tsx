import { Navigate } from 'react-router';

/** /admin/test, by which the full check is known as well. */
export default function TestAliasPage() {
  return <Navigate to="/admin/fullcheck" replace />;
}
