// The list of report templates, each with its question and chart icon.
import { useQuery } from '@tanstack/react-query'
import type { ChartType } from '../../../../contract/report-states.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { Waiting } from '../../../shared/waiting.tsx'
import { GalleryButton } from '../../../ui/gallery-button.tsx'
import { reportTemplatesQuery } from '../api/reports.ts'
import { CHART_ICONS } from '../page/chart-icons.ts'

const COLUMNS = 'repeat(auto-fill, minmax(260px, 1fr))'

function ChartIcon({ type }: { type: ChartType }) {
  const Icon = CHART_ICONS[type]
  return <Icon size={20} strokeWidth={1.5} aria-hidden className="fixed accent" />
}

export function ReportTemplates({ onChoose }: { onChoose(key: string): void }) {
  const query = useQuery(reportTemplatesQuery(useOrg()))
  const { data: reports } = query
  if (!reports) return <Waiting query={query} />
  return (
    <ul className="grid gap-8" style={{ gridTemplateColumns: COLUMNS }}>
      {reports.map(({ key, description, definition: { name, chart } }) => (
        <li key={key}>
          <GalleryButton
            icon={<ChartIcon type={chart?.type ?? 'table'} />}
            title={name}
            texts={[description]}
            onClick={() => onChoose(key)}
          />
        </li>
      ))}
    </ul>
  )
}
