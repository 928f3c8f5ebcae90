// Who may change a report: who made it, and admins (server/reports/service.ts).

import { useOrganization } from '../../../shared/use-organization.ts'
import type { Report } from '../api/reports.ts'

/** Why one may not change or delete it; undefined: one may. */
export function useReasonNotToChange(): (report: Pick<Report, 'creator'>) => string | undefined {
  const { user, may } = useOrganization()
  return ({ creator }) =>
    may('admin') || creator.id === user.id
      ? undefined
      : `${creator.name} created it: only they, owners and admins can change it`
}
