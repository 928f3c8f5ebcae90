// What the pages of reports keep in the address.
import { usePageSearch } from '../../shared/routing/use-page-search.ts'

type Given = Record<string, unknown>

/** Of the list: the templates are open, and perhaps one of them. */
export interface ReportsSearch {
  gallery?: 1
  ready?: string
}

/** Of one report: the latest run without `run`; what it is compared with; the form of its schedule. */
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
