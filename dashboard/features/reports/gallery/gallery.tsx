// The report templates in a panel: all of them, or one with a preview on the user's records.
import { useQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { EmptyState, ErrorState } from '../../../shared/state.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import { PartPending } from '../../../ui/page-pending.tsx'
import { SidePanel } from '../../../ui/side-panel.tsx'
import { reportTemplatesQuery } from '../api/reports.ts'
import { useReportSearch } from '../report-search.ts'
import { ReportTemplateView } from './report-template.tsx'
import { ReportTemplates } from './report-templates.tsx'

function Chosen({ chosen, onBack }: { chosen: string; onBack(): void }) {
  const { data, error, refetch } = useQuery(reportTemplatesQuery(useOrg()))
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <PartPending />
  const ready = data.find(({ key }) => key === chosen)
  if (ready) return <ReportTemplateView key={chosen} ready={ready} onBack={onBack} />
  return (
    <EmptyState icon={SearchX} title="Template not found">
      Close this, and choose another one.
    </EmptyState>
  )
}

export function Gallery({ onClose }: { onClose(): void }) {
  const [{ ready }, change] = useReportSearch()
  const { data } = useQuery(reportTemplatesQuery(useOrg()))
  const name = data?.find(({ key }) => key === ready)?.definition.name
  return (
    <SidePanel title={name ?? 'Templates'} onClose={onClose} size={640}>
      {ready === undefined ? (
        <ReportTemplates onChoose={(key) => change({ ready: key })} />
      ) : (
        <Chosen chosen={ready} onBack={() => change({ ready: undefined })} />
      )}
    </SidePanel>
  )
}
