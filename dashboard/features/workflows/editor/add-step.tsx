// A plus button on a line, and the searchable list of steps to add, for mouse and keyboard.
import { ActionIcon, Combobox, Popover, Text, TextInput, Tooltip, useCombobox } from '@mantine/core'
import { Plus, Search } from 'lucide-react'
import { type Ref, useEffect, useRef, useState } from 'react'
import { STEP_CONTRACTS, type StepType } from '../../../../contract/workflow-steps.ts'
import { STEP_VIEWS } from '../steps/steps.ts'
import { useEditor } from './editor-context.ts'
import { findSteps, type Shelf } from './step-shelf.ts'
import type { StepLocation } from './step-tree.ts'
import { plusStop } from './travel.ts'

function Kind({ type }: { type: StepType }) {
  const { icon: Icon, title } = STEP_VIEWS[type]
  return (
    <Combobox.Option value={type} className="flex start gap-8">
      <Icon size={16} aria-hidden opacity={0.7} />
      <span className="stack">
        <strong className="medium">{title}</strong>
        <Text span size="xs">
          {STEP_CONTRACTS[type].description}
        </Text>
      </span>
    </Combobox.Option>
  )
}

function Shelves({ shelves }: { shelves: readonly Shelf[] }) {
  return (
    // Scrollable elements must be focusable by keyboard.
    <Combobox.Options aria-label="Steps that can be added" className="scroll" mah={340} mt={8} tabIndex={0}>
      {shelves.map(({ title, types }) => (
        <Combobox.Group key={title} label={title}>
          {types.map((type) => (
            <Kind key={type} type={type} />
          ))}
        </Combobox.Group>
      ))}
      {shelves.length === 0 && <Combobox.Empty>No matching steps</Combobox.Empty>}
    </Combobox.Options>
  )
}

interface ChooserProps {
  field: Ref<HTMLInputElement>
  onChoose(type: StepType): void
}

function Chooser({ field, onChoose }: ChooserProps) {
  const [typed, setTyped] = useState('')
  const combobox = useCombobox({ opened: true })
  const { selectFirstOption } = combobox
  const shelves = findSteps(typed)
  const [, setBest] = useState<string | null>()
  // Selects the first match, so that Enter chooses it. The state update renders again, so that the input refers to it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the options follow what was typed
  useEffect(() => setBest(selectFirstOption()), [typed])
  return (
    <Combobox store={combobox} onOptionSubmit={(type) => onChoose(type as StepType)}>
      <Combobox.EventsTarget withExpandedAttribute>
        <TextInput
          ref={field}
          aria-label="Find a step"
          placeholder="Find a step"
          leftSection={<Search size={14} aria-hidden />}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          data-autofocus
          autoComplete="off"
        />
      </Combobox.EventsTarget>
      <Shelves shelves={shelves} />
    </Combobox>
  )
}

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
        {isOpen && <Chooser field={field} onChoose={(type) => insert(location, type)} />}
      </Popover.Dropdown>
    </Popover>
  )
}
