// The table of workflows: switch, last runs, and the times of the last and next run.
import { Skeleton, Text } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { objectsQuery } from '../../../shared/api/objects.ts'
import { StaleNote } from '../../../shared/stale-note.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import { SecondLine, TitleLink } from '../../../ui/data-table/cells.tsx'
import type { Columns } from '../../../ui/data-table/columns.ts'
import dataTable from '../../../ui/data-table/data-table.module.css'
import { DataTable } from '../../../ui/data-table/data-table.tsx'
import { ColumnTime } from '../../../ui/time.tsx'
import { formatRate } from '../../webhooks/stats-words.ts'
import { overviewQuery, type Workflow, type WorkflowFigures } from '../api/workflows.ts'
import { namesOf } from '../node-names.ts'
import { workflowPaths } from '../paths.ts'
import { triggerWords } from '../trigger-words.ts'
import { EnabledSwitch } from './enabled-switch.tsx'
import classes from './list.module.css'
import { RunSparkline } from './run-sparkline.tsx'

const LIVE_MS = 5000

interface NameProps {
  workflow: Workflow
  /** undefined while loading. */
  figures: WorkflowFigures | undefined
}

function Name({ workflow, figures }: NameProps) {
  const org = useOrg()
  const { data: objects } = useSuspenseQuery(objectsQuery(org))
  const { id, name, description, trigger } = workflow
  const words = figures && triggerWords({ ...figures, trigger }, namesOf(objects))
  return (
    <>
      <TitleLink to={workflowPaths.workflow(org, id)} title={description || name}>
        {name}
      </TitleLink>
      <SecondLine title={words}>
        {words ?? <Skeleton component="span" display="inline-block" height={12} width={180} />}
      </SecondLine>
    </>
  )
}

function Figures({ figures }: { figures: WorkflowFigures | undefined }) {
  if (!figures) return <Skeleton height={14} width={172} />
  const { runs, successRate } = figures
  return (
    <div className="row gap-12">
      <RunSparkline runs={runs} />
      <Text span miw={44} className={`${dataTable.wide} tabular`}>
        {successRate === null ? '' : formatRate(successRate)}
      </Text>
    </div>
  )
}

const when = (at: string | null | undefined) => at && <ColumnTime value={at} />

export function WorkflowTable({ workflows }: { workflows: readonly Workflow[] }) {
  const { data, error } = useQuery({ ...overviewQuery(useOrg()), refetchInterval: LIVE_MS })
  const figures = new Map(data?.map((one) => [one.id, one]))
  const columns: Columns<Workflow> = [
    {
      title: 'Workflow',
      kind: 'name',
      cell: (workflow) => <Name workflow={workflow} figures={figures.get(workflow.id)} />,
    },
    {
      title: (
        <>
          Last runs <span className={dataTable.wide}>and success in 7 days</span>
        </>
      ),
      isFit: true,
      className: classes.figures,
      cell: ({ id }) => <Figures figures={figures.get(id)} />,
    },
    { title: 'Last run', isFit: true, onlyWide: true, cell: ({ id }) => when(figures.get(id)?.lastRunAt) },
    { title: 'Next run', isFit: true, onlyWide: true, cell: ({ id }) => when(figures.get(id)?.nextAt) },
    { title: 'State', isFit: true, cell: (workflow) => <EnabledSwitch workflow={workflow} withName /> },
  ]
  return (
    <>
      <StaleNote error={error} />
      <DataTable columns={columns} rows={workflows} />
    </>
  )
}
