// The parts next to the chart: the definition of the report, its schedules and its runs.
import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ReportDefinition } from '../../../../contract/reports.ts'
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

/** @param definition of the shown run, which may be older than the report */
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
