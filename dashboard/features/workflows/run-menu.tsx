// A menu of the workflows that can be run on the shown records. Renders nothing without such workflows.
import { Button, Menu, Tooltip } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ChevronDown, Play } from 'lucide-react'
import { useState } from 'react'
import { useOrg } from '../../shared/use-organization.ts'
import { type Workflow, workflowQuery, workflowsQuery } from './api/workflows.ts'
import { runnableOn } from './run/parameters.ts'

interface RunMenuProps {
  /** Slug of the object. */
  object: string
  /** Why nothing can be run now. */
  reason?: string | undefined
  /** Called when the menu opens, to load code for the next step. */
  onOpen?(): void
  onChoose(workflow: Workflow): void
}

export function RunMenu({ object, reason, onOpen, onChoose }: RunMenuProps) {
  const org = useOrg()
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  // Loaded in parallel: the page does not wait for workflows.
  const { data } = useQuery({ ...workflowsQuery(org), staleTime: 60_000 })
  const workflows = runnableOn(data ?? [], object)
  if (workflows.length === 0) return null
  const isDisabled = reason !== undefined
  const change = (to: boolean) => {
    setOpen(to && !isDisabled)
    if (!to || isDisabled) return
    onOpen?.()
    for (const { id } of workflows) void client.prefetchQuery(workflowQuery(org, id))
  }
  return (
    // `opened` is controlled too, because a disabled menu still calls onChange.
    <Menu disabled={isDisabled} opened={isOpen && !isDisabled} onChange={change}>
      <Tooltip label={reason ?? 'Run a workflow'}>
        <Menu.Target>
          <Button
            variant="default"
            leftSection={<Play size={14} aria-hidden />}
            rightSection={<ChevronDown size={14} aria-hidden />}
            data-disabled={isDisabled || undefined}
            aria-disabled={isDisabled || undefined}
          >
            Run
          </Button>
        </Menu.Target>
      </Tooltip>
      <Menu.Dropdown>
        <Menu.Label>Workflows</Menu.Label>
        {workflows.map((workflow) => (
          <Menu.Item key={workflow.id} onClick={() => onChoose(workflow)}>
            {workflow.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
