// The reports to begin with, each a question and how it is drawn.
import { useQuery } from '@tanstack/react-query'
import type { ChartType } from '../../../../../contract/report-states.ts'
import { ErrorState } from '../../../../shared/state.tsx'
import { useOrg } from '../../../../shared/use-organization.ts'
import { PartPending } from '../../../../ui/page-pending.tsx'
import { reportTemplatesQuery } from '../../api/reports.ts'
import { CHART_ICONS } from '../chart-icons.ts'
import classes from './gallery.module.css'

function ChartIcon({ type }: { type: ChartType }) {
  const Icon = CHART_ICONS[type]
  return <Icon size={20} strokeWidth={1.5} aria-hidden className="fixed accent" />
}

export function ReportTemplates({ onChoose }: { onChoose(key: string): void }) {
  const { data: reports, error, refetch } = useQuery(reportTemplatesQuery(useOrg()))
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!reports) return <PartPending />
  return (
    <ul className={classes.reports}>
      {reports.map(({ key, description, definition: { name, chart } }) => (
        <li key={key}>
          <button type="button" className={classes.report} onClick={() => onChoose(key)}>
            <ChartIcon type={chart?.type ?? 'table'} />
            <span className="shrink">
              <span className={classes.title}>{name}</span>
              <span className={classes.text}>{description}</span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
