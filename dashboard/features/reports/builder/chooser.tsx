// A searchable list for choosing one item, by mouse or keyboard.
import { Button, Combobox, TextInput, useCombobox } from '@mantine/core'
import { type LucideIcon, Plus, Search } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { FilterPopover } from '../../../shared/filters/filter-popover.tsx'

export interface Choice {
  value: string
  label: string
  icon?: LucideIcon | undefined
}

export interface ChoiceGroup {
  name: string
  choices: readonly Choice[]
}

interface ChooserProps {
  /** Placeholder of the search, such as `Find a field`. */
  placeholder: string
  groups: readonly ChoiceGroup[]
  onPick(value: string): void
}

function found(groups: readonly ChoiceGroup[], typed: string): ChoiceGroup[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return groups.flatMap(({ name, choices }) => {
    const fit = choices.filter(({ label }) =>
      words.every((word) => `${label} ${name}`.toLowerCase().includes(word)),
    )
    return fit.length > 0 ? [{ name, choices: fit }] : []
  })
}

function Options({ groups }: { groups: readonly ChoiceGroup[] }) {
  return (
    // Scrollable elements must be focusable by keyboard.
    <Combobox.Options aria-label="Choices" className="scroll" mah={300} mt={4} tabIndex={0}>
      {groups.map(({ name, choices }) => (
        <Combobox.Group key={name} label={name}>
          {choices.map(({ value, label, icon: Icon }) => (
            <Combobox.Option key={value} value={value} className="row gap-8">
              {Icon && <Icon size={14} aria-hidden opacity={0.7} />}
              <span>{label}</span>
            </Combobox.Option>
          ))}
        </Combobox.Group>
      ))}
      {groups.length === 0 && <Combobox.Empty>No results</Combobox.Empty>}
    </Combobox.Options>
  )
}

export function Chooser({ placeholder, groups, onPick }: ChooserProps) {
  const [typed, setTyped] = useState('')
  const combobox = useCombobox({ opened: true })
  const { selectFirstOption } = combobox
  const [, setBest] = useState<string | null>()
  // Selects the first match, so that Enter chooses it. The state update renders again, so that the input refers to it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the options follow what was typed
  useEffect(() => setBest(selectFirstOption()), [typed])
  return (
    <Combobox store={combobox} onOptionSubmit={onPick}>
      <Combobox.EventsTarget withExpandedAttribute>
        <TextInput
          aria-label={placeholder}
          placeholder={placeholder}
          leftSection={<Search size={14} aria-hidden />}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          data-autofocus
          autoComplete="off"
        />
      </Combobox.EventsTarget>
      <Options groups={found(groups, typed)} />
    </Combobox>
  )
}

interface AddButtonProps {
  label: string
  /** Why nothing can be added; undefined when it can. */
  fullReason?: string | undefined
  onClick(): void
}

/** The last button of a sentence. It gets the focus when a part of the sentence is removed. */
export function AddButton({ label, fullReason, onClick, ...target }: AddButtonProps) {
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-sm"
      leftSection={<Plus size={14} aria-hidden />}
      title={fullReason}
      aria-disabled={fullReason !== undefined || undefined}
      data-disabled={fullReason !== undefined || undefined}
      data-add
      {...target}
      onClick={() => fullReason === undefined && onClick()}
    >
      {label}
    </Button>
  )
}

interface AddProps extends ChooserProps {
  label: string
  fullReason?: string | undefined
  children?: ReactNode
}

export function Add({ label, fullReason, onPick, ...chooser }: AddProps) {
  const [isOpen, setOpen] = useState(false)
  // A new chooser each time, because the previous one may still be fading out with its typed text.
  const [time, setTime] = useState(0)
  const toggle = () => {
    setOpen(!isOpen)
    setTime(time + 1)
  }
  const pick = (value: string) => {
    setOpen(false)
    onPick(value)
  }
  return (
    <FilterPopover
      isOpen={isOpen}
      onClose={() => setOpen(false)}
      label={`Add: ${label.toLowerCase()}`}
      target={<AddButton label={label} fullReason={fullReason} onClick={toggle} />}
    >
      <Chooser key={time} {...chooser} onPick={pick} />
    </FilterPopover>
  )
}
