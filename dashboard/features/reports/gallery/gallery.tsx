// The report templates in a panel: all of them, or one with a preview on the user's records.
import { useQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { EmptyState } from '../../../shared/state.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import { Waiting } from '../../../shared/waiting.tsx'
import { SidePanel } from '../../../ui/side-panel.tsx'
import { reportTemplatesQuery } from '../api/reports.ts'
import { useReportSearch } from '../report-search.ts'
import { ReportTemplateView } from './report-template.tsx'
import { ReportTemplates } from './report-templates.tsx'

function Chosen({ chosen, onBack }: { chosen: string; onBack(): void }) {
  const query = useQuery(reportTemplatesQuery(useOrg()))
  const { data } = query
  if (!data) return <Waiting query={query} />
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
