import { Navigate, useLocation } from 'react-router';

/** /signup is another door to the same steps; what came with the address goes along. */
export default function SignupPage() {
  const search = new URLSearchParams(useLocation().search);
  search.set('action', 'signup');
  return <Navigate to={`/auth?${search}`} replace />;
}
