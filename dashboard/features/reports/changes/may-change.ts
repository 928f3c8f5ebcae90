// A report may be changed by its creator and by admins (server/reports/service.ts).

import { useOrganization } from '../../../shared/use-organization.ts'
import type { Report } from '../api/reports.ts'

/** @returns a function: why the user may not change or delete a report; undefined when they may */
export function useReasonNotToChange(): (report: Pick<Report, 'creator'>) => string | undefined {
  const { user, may } = useOrganization()
  return ({ creator }) =>
    may('admin') || creator.id === user.id
      ? undefined
      : `${creator.name} created it: only they, owners and admins can change it`
}
