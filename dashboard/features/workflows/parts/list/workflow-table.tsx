// All workflows: whether each is on, how its last runs went, when it ran and runs next.
import { Skeleton, Text } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { objectsQuery } from '../../../../shared/api/objects.ts'
import { StaleNote } from '../../../../shared/stale-note.tsx'
import { useOrg } from '../../../../shared/use-organization.ts'
import dataTable from '../../../../ui/data-table/data-table.module.css'
import { ColumnMoment } from '../../../../ui/time.tsx'
import { formatRate } from '../../../webhooks/stats-words.ts'
import { overviewQuery, type Workflow, type WorkflowFigures } from '../../api/workflows.ts'
import { namesOf } from '../../node-names.ts'
import { workflowPaths } from '../../paths.ts'
import { triggerWords } from '../../trigger-words.ts'
import { EnabledSwitch } from './enabled-switch.tsx'
import classes from './list.module.css'
import { RunSparkline } from './run-sparkline.tsx'

const LIVE_MS = 5000

interface NameProps {
  workflow: Workflow
  /** undefined: they are on their way. */
  figures: WorkflowFigures | undefined
}

function Name({ workflow, figures }: NameProps) {
  const org = useOrg()
  const { data: objects } = useSuspenseQuery(objectsQuery(org))
  const { id, name, description, trigger } = workflow
  const words = figures && triggerWords({ ...figures, trigger }, namesOf(objects))
  return (
    <th scope="row">
      <Link
        to={workflowPaths.workflow(org, id)}
        className={`${dataTable.titleLink} ${dataTable.cut}`}
        title={description || name}
      >
        {name}
      </Link>
      <span className={`${dataTable.cut} ${dataTable.second}`} title={words}>
        {words ?? <Skeleton component="span" display="inline-block" height={12} width={180} />}
      </span>
    </th>
  )
}

function Figures({ figures }: { figures: WorkflowFigures | undefined }) {
  if (!figures)
    return (
      <td className={`${dataTable.fit} ${classes.figures}`}>
        <Skeleton height={14} width={172} />
      </td>
    )
  const { runs, successRate } = figures
  return (
    <td className={`${dataTable.fit} ${classes.figures}`}>
      <div className="row gap-12">
        <RunSparkline runs={runs} />
        <Text span miw={44} className={`${dataTable.wide} tabular`}>
          {successRate === null ? '' : formatRate(successRate)}
        </Text>
      </div>
    </td>
  )
}

function When({ at }: { at: string | null | undefined }) {
  return <td className={`${dataTable.fit} ${dataTable.wide}`}>{at ? <ColumnMoment value={at} /> : null}</td>
}

function Head() {
  return (
    <thead>
      <tr>
        <th scope="col">Workflow</th>
        <th scope="col" className={`${dataTable.fit} ${classes.figures}`}>
          Last runs <span className={dataTable.wide}>and success in 7 days</span>
        </th>
        <th scope="col" className={dataTable.wide}>
          Last run
        </th>
        <th scope="col" className={dataTable.wide}>
          Next run
        </th>
        <th scope="col">State</th>
      </tr>
    </thead>
  )
}

export function WorkflowTable({ workflows }: { workflows: readonly Workflow[] }) {
  const { data, error } = useQuery({ ...overviewQuery(useOrg()), refetchInterval: LIVE_MS })
  const figures = new Map(data?.map((one) => [one.id, one]))
  return (
    <>
      <StaleNote error={error} />
      <table className={dataTable.table}>
        <Head />
        <tbody>
          {workflows.map((workflow) => {
            const own = figures.get(workflow.id)
            return (
              <tr key={workflow.id}>
                <Name workflow={workflow} figures={own} />
                <Figures figures={own} />
                <When at={own?.lastRunAt} />
                <When at={own?.nextAt} />
                <td className={dataTable.fit}>
                  <EnabledSwitch workflow={workflow} withName />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </>
  )
}
