// A plus button on a line, and the searchable list of steps to add, for mouse and keyboard.
import { ActionIcon, Popover, Tooltip } from '@mantine/core'
import { Plus } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { STEP_CONTRACTS, type StepType } from '../../../../contract/workflow-steps.ts'
import { Chooser } from '../../../ui/chooser.tsx'
import { STEP_VIEWS } from '../steps/steps.ts'
import { useEditor } from './editor-context.ts'
import { findSteps } from './step-shelf.ts'
import type { StepLocation } from './step-tree.ts'
import { plusStop } from './travel.ts'

const choiceOf = (type: StepType) => {
  const { icon, title } = STEP_VIEWS[type]
  return { value: type, label: title, icon, description: STEP_CONTRACTS[type].description }
}

const findChoices = (typed: string) =>
  findSteps(typed).map(({ title, types }) => ({ name: title, choices: types.map(choiceOf) }))

export function AddStep({ location }: { location: StepLocation }) {
  const { adding, add, insert, definition } = useEditor()
  const isOpen = adding?.list === location.list && adding.index === location.index
  const isFirst = location.list === 'steps' && definition.steps.length === 0
  const field = useRef<HTMLInputElement>(null)
  // Focuses immediately when opened, so that the next key press does not reach the canvas.
  useEffect(() => {
    if (isOpen) field.current?.focus({ preventScroll: true })
  }, [isOpen])
  return (
    <Popover
      opened={isOpen}
      onChange={(opened) => !opened && add(undefined)}
      trapFocus
      withinPortal
      // Stays open if its button is outside of the visible area, which is possible by keyboard.
      hideDetached={false}
      // With a transition, the field would appear a frame later.
      transitionProps={{ duration: 0 }}
      position="bottom"
      width={300}
      shadow="md"
    >
      <Popover.Target>
        <Tooltip label="Add a step (A)" disabled={isOpen} openDelay={300}>
          <ActionIcon
            variant="default"
            size={22}
            radius="xl"
            c="dimmed"
            bd="1px solid var(--border-strong)"
            aria-label={isFirst ? 'Add the first step' : 'Add a step here'}
            data-stop={plusStop(location)}
            onClick={() => add(isOpen ? undefined : location)}
          >
            <Plus size={14} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown p={8} aria-label="Add a step">
        {isOpen && (
          <Chooser
            field={field}
            placeholder="Find a step"
            label="Steps that can be added"
            empty="No matching steps"
            find={findChoices}
            onPick={(type) => insert(location, type as StepType)}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
