// The runs of a workflow, newest first, updated while they are visible.
import { Button, Group, Tooltip } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Inbox, SearchX } from 'lucide-react'
import { useRef } from 'react'
import { formatCount } from '../../../../contract/counted.ts'
import { RUN_STATUSES, type RunStatus } from '../../../../contract/workflow-states.ts'
import { StaleNote } from '../../../shared/stale-note.tsx'
import { EmptyState } from '../../../shared/state.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import { Waiting } from '../../../shared/waiting.tsx'
import { Select } from '../../../ui/select.tsx'
import { useShortcuts } from '../../../ui/use-shortcuts.ts'
import { RUNS_PAGE, runsQuery } from '../api/workflow-runs.ts'
import type { WorkflowWithDefinition } from '../api/workflows.ts'
import { RUN_WORDS } from '../run-words.ts'
import { useWorkflowSearch } from '../workflow-search.ts'
import { CancelAllButton, OpenRunNotes } from './open-runs.tsx'
import { RunTable } from './run-table.tsx'

const STATUSES = RUN_STATUSES.map((value) => ({ value, label: RUN_WORDS[value].word }))

function StatusFilter() {
  const [{ status }, change] = useWorkflowSearch()
  const field = useRef<HTMLInputElement>(null)
  useShortcuts([['f', () => field.current?.focus()]])
  return (
    <Tooltip label="Filter (F)">
      <Select
        ref={field}
        aria-label="State"
        placeholder="Any state"
        data={STATUSES}
        value={status ?? null}
        onChange={(value) =>
          change(
            { status: (value ?? undefined) as RunStatus | undefined, page: undefined },
            { replace: true },
          )
        }
        clearable
        w={148}
      />
    </Tooltip>
  )
}

function Nothing({ workflow }: { workflow: WorkflowWithDefinition }) {
  const [{ status, page }, change] = useWorkflowSearch()
  if (status === undefined && page === undefined)
    return (
      <EmptyState icon={Inbox} title="No runs yet">
        {workflow.enabled
          ? 'Its runs appear here as they happen.'
          : 'It is off: switch it on, and its runs appear here as they happen.'}
      </EmptyState>
    )
  return (
    <EmptyState
      icon={SearchX}
      title="No matching runs"
      action={
        <Button variant="default" onClick={() => change({ status: undefined, page: undefined })}>
          Show all runs
        </Button>
      }
    >
      Choose another state.
    </EmptyState>
  )
}

function Pages({ total, page }: { total: number; page: number }) {
  const [, change] = useWorkflowSearch()
  const last = Math.max(1, Math.ceil(total / RUNS_PAGE))
  const first = (page - 1) * RUNS_PAGE + 1
  const go = (to: number) => change({ page: to > 1 ? to : undefined })
  if (last === 1 && page === 1) return null
  return (
    <nav className="row gap-8" aria-label="Pages">
      <span className="end muted small tabular">
        {formatCount(first)}–{formatCount(Math.min(total, first + RUNS_PAGE - 1))} of {formatCount(total)}
      </span>
      <Button variant="default" disabled={page <= 1} onClick={() => go(page - 1)}>
        Newer
      </Button>
      <Button variant="default" disabled={page >= last} onClick={() => go(page + 1)}>
        Older
      </Button>
    </nav>
  )
}

export function RunList({ workflow }: { workflow: WorkflowWithDefinition }) {
  const [{ status, page = 1 }] = useWorkflowSearch()
  const query = useQuery({
    ...runsQuery(useOrg(), workflow.id, { status, page: page - 1 }),
    placeholderData: keepPreviousData,
  })
  const { data, error } = query
  const isEmpty = data?.runs.length === 0 && status === undefined && page === 1
  return (
    <div className="stack gap-12">
      {!isEmpty && (
        <Group justify="space-between" gap="xs">
          <StatusFilter />
          <CancelAllButton workflow={workflow} />
        </Group>
      )}
      <OpenRunNotes workflow={workflow} />
      {data && <StaleNote error={error} />}
      {!data && <Waiting query={query} />}
      {data?.runs.length === 0 && <Nothing workflow={workflow} />}
      {data && data.runs.length > 0 && (
        <>
          <RunTable workflow={workflow} runs={data.runs} />
          <Pages total={data.pagination.total ?? 0} page={page} />
        </>
      )}
    </div>
  )
}
