// A searchable list for choosing one item, by mouse or keyboard.
import { Combobox, Text, TextInput, useCombobox } from '@mantine/core'
import { type LucideIcon, Search } from 'lucide-react'
import { type Ref, useEffect, useState } from 'react'

export interface Choice {
  value: string
  label: string
  icon?: LucideIcon | undefined
  description?: string
}

export interface ChoiceGroup {
  /** '' for choices without a heading. */
  name: string
  choices: readonly Choice[]
}

/** The choices that contain all words of the text. */
export function findChoices(groups: readonly ChoiceGroup[], typed: string): ChoiceGroup[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return groups.flatMap(({ name, choices }) => {
    const fit = choices.filter(({ label }) =>
      words.every((word) => `${label} ${name}`.toLowerCase().includes(word)),
    )
    return fit.length > 0 ? [{ name, choices: fit }] : []
  })
}

function Option({ value, label, icon: Icon, description }: Choice) {
  return (
    <Combobox.Option value={value} className={description ? 'flex start gap-8' : 'row gap-8'}>
      {Icon && <Icon size={description ? 16 : 14} aria-hidden opacity={0.7} />}
      <span className="stack">
        {description ? <strong className="medium">{label}</strong> : label}
        {description && (
          <Text span size="xs">
            {description}
          </Text>
        )}
      </span>
    </Combobox.Option>
  )
}

function Options({ groups, label, empty }: { groups: readonly ChoiceGroup[]; label: string; empty: string }) {
  return (
    // Scrollable elements must be focusable by keyboard.
    <Combobox.Options aria-label={label} className="scroll" mah={300} mt={4} tabIndex={0}>
      {groups.map(({ name, choices }) => (
        <Combobox.Group key={name} label={name}>
          {choices.map((choice) => (
            <Option key={choice.value} {...choice} />
          ))}
        </Combobox.Group>
      ))}
      {groups.length === 0 && <Combobox.Empty>{empty}</Combobox.Empty>}
    </Combobox.Options>
  )
}

export interface ChooserProps {
  /** Placeholder of the search, such as `Find a field`. */
  placeholder: string
  /** The choices for a text, the best first. */
  find(typed: string): readonly ChoiceGroup[]
  /** Name of the list. */
  label?: string
  /** Shown when there are no choices. */
  empty?: string
  /** The search field. */
  field?: Ref<HTMLInputElement>
  onPick(value: string): void
}

export function Chooser({ placeholder, find, field, onPick, ...list }: ChooserProps) {
  const { label = 'Choices', empty = 'No results' } = list
  const [typed, setTyped] = useState('')
  const combobox = useCombobox({ opened: true })
  const { selectFirstOption } = combobox
  const groups = find(typed)
  const best = groups[0]?.choices[0]?.value
  const [, setSelected] = useState<string | null>()
  // Selects the first match, so that Enter chooses it. The state update renders again, so that the input refers to it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the options follow what was typed, and what was loaded
  useEffect(() => setSelected(selectFirstOption()), [typed, best])
  return (
    <Combobox store={combobox} onOptionSubmit={onPick}>
      <Combobox.EventsTarget withExpandedAttribute>
        <TextInput
          {...(field && { ref: field })}
          aria-label={placeholder}
          placeholder={placeholder}
          leftSection={<Search size={14} aria-hidden />}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          data-autofocus
          autoComplete="off"
        />
      </Combobox.EventsTarget>
      <Options groups={groups} label={label} empty={empty} />
    </Combobox>
  )
}
