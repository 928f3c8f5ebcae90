// Renames, duplicates and deletes reports.
import { useQueryClient } from '@tanstack/react-query'
import { reportsQuery } from '../../../shared/api/report-list.ts'
import { freeName } from '../../../shared/free-name.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import {
  createReport,
  deleteReport,
  type Report,
  type ReportDetail,
  refreshReport,
  reportQuery,
  updateReport,
} from '../api/reports.ts'

interface ReportChanges {
  rename(report: Pick<Report, 'id'>, name: string): Promise<void>
  /** Creates a copy with an unused name. */
  duplicate(report: Pick<Report, 'id'>): Promise<ReportDetail>
  remove(report: Pick<Report, 'id'>): Promise<void>
}

export function useReportChanges(): ReportChanges {
  const org = useOrg()
  const client = useQueryClient()
  const refreshList = () => client.invalidateQueries({ queryKey: reportsQuery(org).queryKey })
  /** Loads the current version, which other users may have changed. */
  const read = ({ id }: Pick<Report, 'id'>) => client.fetchQuery({ ...reportQuery(org, id), staleTime: 0 })
  return {
    rename: async (report, name) => {
      const { id, definition, version } = await read(report)
      await updateReport(org, id, { definition: { ...definition, name }, basedOn: version })
      await refreshReport(client, org, id)
    },
    duplicate: async (report) => {
      const { definition } = await read(report)
      const reports = await client.fetchQuery({ ...reportsQuery(org), staleTime: 0 })
      const taken = reports.map(({ name }) => name)
      const copy = await createReport(org, { ...definition, name: freeName(definition.name, taken) })
      await refreshList()
      return copy
    },
    remove: async ({ id }) => {
      await deleteReport(org, id)
      await refreshList()
    },
  }
}
