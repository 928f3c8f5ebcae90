// Switches a workflow on or off in the list. A refusal shows all problems of the workflow.
import { Button, Group, List, Stack, Switch } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { counted } from '../../../../contract/counted.ts'
import type { Problem } from '../../../../contract/errors.ts'
import type { OpenRunChoice } from '../../../../contract/workflow-states.ts'
import type { WorkflowPatch } from '../../../../contract/workflows.ts'
import { ApiError, capitalized } from '../../../shared/api/errors.ts'
import { toastError } from '../../../shared/toast.ts'
import { useOrg, useOrganization } from '../../../shared/use-organization.ts'
import { WithReason } from '../../../ui/allowed.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { patchWorkflow, type Workflow, workflowQuery, workflowsKey } from '../api/workflows.ts'
import { plainTemplates } from '../canvas/value-words.ts'
import { workflowPaths } from '../paths.ts'
import { problemField, problemPlace } from './problem-place.ts'
import { useSwitchOff } from './use-switch-off.tsx'

interface Enabling {
  /** The new state while the request is running. */
  pending: boolean | undefined
  /** Why the workflow was not enabled. */
  problems: readonly Problem[] | undefined
  /** @param openRuns what happens to open runs when switching off */
  set(enabled: boolean, openRuns?: OpenRunChoice): Promise<void>
  forget(): void
}

function useEnabling(id: string): Enabling {
  const org = useOrg()
  const client = useQueryClient()
  const [pending, setPending] = useState<boolean>()
  const [problems, setProblems] = useState<readonly Problem[]>()
  const last = useRef(Promise.resolve())
  const send = async (patch: WorkflowPatch) => {
    try {
      await patchWorkflow(org, { id, patch })
      await client.invalidateQueries({ queryKey: workflowsKey(org) })
    } catch (error) {
      if (error instanceof ApiError && error.problems.length > 0) setProblems(error.problems)
      else toastError(error)
    }
  }
  // Switching back immediately is sent too, after the pending request.
  const set = async (enabled: boolean, openRuns?: OpenRunChoice) => {
    setPending(enabled)
    const own = last.current.then(() => send({ enabled, ...(openRuns && { openRuns }) }))
    last.current = own
    await own
    if (last.current === own) setPending(undefined)
  }
  return { pending, problems, set, forget: () => setProblems(undefined) }
}

interface RefusedProps {
  workflow: Workflow
  problems: readonly Problem[]
  onClose(): void
}

function ProblemList({ workflow, problems }: Omit<RefusedProps, 'onClose'>) {
  const { data } = useQuery(workflowQuery(useOrg(), workflow.id))
  return (
    <List size="sm" mt={8} spacing={8}>
      {problems.map(({ path, message: problem }) => {
        const place = data && problemPlace(data.definition, path)
        const field = problemField(path)
        const message = plainTemplates(problem)
        const text = field === undefined ? message : `${field} ${message}`
        return (
          <List.Item key={`${path} ${problem}`}>
            {place && <strong>{place}: </strong>}
            {place ? text : capitalized(text)}
          </List.Item>
        )
      })}
    </List>
  )
}

function Refused({ workflow, problems, onClose }: RefusedProps) {
  const org = useOrg()
  return (
    <Dialog onClose={onClose} title={`“${workflow.name}” cannot run yet`} size="lg">
      <Stack gap="md">
        <div role="alert">
          {problems.length === 1 ? 'One thing is' : counted(problems.length, 'thing is', 'things are')} wrong
          with its definition:
          <ProblemList workflow={workflow} problems={problems} />
        </div>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button component={Link} to={workflowPaths.workflowEditor(org, workflow.id)} data-autofocus>
            Edit workflow
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

export function EnabledSwitch({ workflow, withName = false }: { workflow: Workflow; withName?: boolean }) {
  const { may } = useOrganization()
  const { pending, problems, set, forget } = useEnabling(workflow.id)
  const { switchOff, dialog } = useSwitchOff(workflow, (openRuns) => set(false, openRuns))
  const reason = may('admin') ? undefined : 'Only owners and admins can switch workflows on and off'
  const isOn = pending ?? workflow.enabled
  const isHeld = reason !== undefined
  return (
    <>
      <WithReason reason={reason}>
        <span>
          <Switch
            checked={isOn}
            label={isOn ? 'On' : 'Off'}
            aria-label={withName ? `${isOn ? 'On' : 'Off'}: ${workflow.name}` : undefined}
            aria-disabled={isHeld || undefined}
            opacity={isHeld ? 0.7 : 1}
            styles={{ label: { minWidth: 28 } }}
            onChange={({ currentTarget }) => {
              if (!isHeld) void (currentTarget.checked ? set(true) : switchOff())
            }}
          />
        </span>
      </WithReason>
      {problems && <Refused workflow={workflow} problems={problems} onClose={forget} />}
      {dialog}
    </>
  )
}
