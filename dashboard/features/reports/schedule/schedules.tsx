// The workflows that run the report automatically, with the time of the next run.
import { Anchor } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { messageOf } from '../../../shared/api/errors.ts'
import { objectsQuery } from '../../../shared/api/objects.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { type ReportWorkflow, reportWorkflowsQuery } from '../../workflows/api/workflows.ts'
import { namesOf } from '../../workflows/node-names.ts'
import { workflowPaths } from '../../workflows/paths.ts'
import { triggerWords } from '../../workflows/trigger-words.ts'
import { Part } from '../report/report-parts.tsx'
import { exactTime } from '../report/run-times.ts'
import { useReportSearch } from '../report-search.ts'

function Item({ workflow }: { workflow: ReportWorkflow }) {
  const org = useOrg()
  const { data: objects } = useSuspenseQuery(objectsQuery(org))
  const { id, name, enabled, nextAt, trigger, triggerConfig } = workflow
  const words = triggerWords({ trigger, ...(triggerConfig && { triggerConfig }) }, namesOf(objects))
  return (
    <li>
      <Link to={workflowPaths.workflow(org, id)} className="medium underlined">
        {name}
      </Link>
      <p className="muted tiny">
        {words}
        {!enabled && ', switched off'}
        {enabled && nextAt !== null && (
          <>
            , next <time dateTime={nextAt}>{exactTime(nextAt)}</time>
          </>
        )}
      </p>
    </li>
  )
}

export function Schedules({ reportId }: { reportId: string }) {
  const [, change] = useReportSearch()
  const { data: workflows, error } = useQuery(reportWorkflowsQuery(useOrg(), reportId))
  return (
    <Part
      title="Schedule"
      action={
        <Anchor component="button" type="button" onClick={() => change({ schedule: 1 })}>
          Add schedule
        </Anchor>
      }
    >
      {error && <p className="muted tiny">{messageOf(error)}</p>}
      {workflows?.length === 0 && (
        <p className="muted tiny">Not scheduled. A schedule runs the report and sends its results.</p>
      )}
      <ul className="stack gap-8 small">
        {workflows?.map((workflow) => (
          <Item key={workflow.id} workflow={workflow} />
        ))}
      </ul>
    </Part>
  )
}
