// Beside the chart: what the report asks, what runs it by itself, and its runs.
import { Button, Group, Tooltip } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Pencil } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ReportDefinition } from '../../../../../contract/reports.ts'
import { useOrg } from '../../../../shared/use-organization.ts'
import { WithReason } from '../../../../ui/allowed.tsx'
import type { ReportDetail } from '../../api/reports.ts'
import { reportPaths } from '../../paths.ts'
import { useReasonNotToChange } from '../changes/may-change.ts'
import { DefinitionSentences } from '../words/definition-panel.tsx'

export function Part({
  title,
  action,
  children,
}: {
  title: string
  action?: ReactNode
  children: ReactNode
}) {
  return (
    <section className="stack shrink gap-8" aria-label={title}>
      <Group justify="space-between" mih={28}>
        <h2 className="small">{title}</h2>
        {action}
      </Group>
      {children}
    </section>
  )
}

/** @param definition of the run that is shown, which may be older than the report */
export function DefinitionPart({
  description,
  definition,
}: {
  description: string
  definition: ReportDefinition
}) {
  return (
    <Part title="Definition">
      {description && <p className="muted small">{description}</p>}
      <DefinitionSentences definition={definition} />
    </Part>
  )
}

export function EditButton({ report }: { report: ReportDetail }) {
  const org = useOrg()
  const reason = useReasonNotToChange()(report)
  const icon = <Pencil size={14} aria-hidden />
  if (reason !== undefined)
    return (
      <WithReason reason={reason}>
        <Button variant="default" className="word-only" leftSection={icon} data-disabled aria-disabled>
          Edit
        </Button>
      </WithReason>
    )
  return (
    <Tooltip label="Edit (E)">
      <Button
        variant="default"
        component={Link}
        to={reportPaths.editReport(org, report.id)}
        className="word-only"
        leftSection={icon}
        aria-keyshortcuts="E"
      >
        Edit
      </Button>
    </Tooltip>
  )
}
