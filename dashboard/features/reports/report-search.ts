// The search parameters of the pages of reports.
import { usePageSearch } from '../../shared/routing/use-page-search.ts'

type Given = Record<string, unknown>

/** The list: whether the templates are open, and the key of an open template. */
export interface ReportsSearch {
  gallery?: 1
  ready?: string
}

/** A report: the shown run (by default the latest), the run to compare with, and whether the schedule form is open. */
export interface ReportSearch {
  run?: string
  compare?: string
  schedule?: 1
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

export const validReportsSearch = ({ gallery, ready }: Given): ReportsSearch => ({
  ...(gallery === 1 && { gallery }),
  ...(gallery === 1 && isText(ready) && { ready }),
})

export const validReportSearch = ({ run, compare, schedule }: Given): ReportSearch => ({
  ...(isText(run) && { run }),
  ...(isText(compare) && { compare }),
  ...(schedule === 1 && { schedule }),
})

export const useReportSearch = usePageSearch<ReportsSearch & ReportSearch>
