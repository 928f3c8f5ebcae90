// Chooses the target of a column: nothing, an attribute or a part of its values, the record's id, or a new attribute.
import type { ComboboxItem, ComboboxItemGroup, OptionsFilter } from '@mantine/core'
import { Ban, Hash, type LucideIcon, Plus } from 'lucide-react'
import { mustBeGiven } from '../../../../contract/default-values.ts'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { targetOf as objectOf } from '../../../shared/values/attribute-config.ts'
import { partWords } from '../../../shared/values/part-words.ts'
import { TYPES } from '../../../types/types.ts'
import { ACTION } from '../../../ui/found-options.ts'
import { Select } from '../../../ui/select.tsx'
import { useTyping } from '../../../ui/use-open-text.tsx'
import { NOTHING, naming, partsOf, RECORD_ID, type Target } from './mapping.ts'

/** Not a target: opens the form for a new attribute. */
export const NEW_ATTRIBUTE = `${ACTION}attribute`
/** Options must have a value. */
const DO_NOT_IMPORT = '-'

interface Options {
  data: ComboboxItemGroup<ComboboxItem>[]
  icons: ReadonlyMap<string, LucideIcon>
}

/** Attributes of the objects that references point to, by the id of the object. */
export type Referred = ReadonlyMap<string, readonly Attribute[]>

const referredItems = (attribute: Attribute, referred: Referred): ComboboxItem[] =>
  attribute.type === 'reference'
    ? naming(referred.get(objectOf(attribute) ?? '') ?? []).map(({ slug, name }) => ({
        value: `${attribute.slug}.${slug}`,
        label: `${attribute.name} → ${name}`,
      }))
    : []

const itemsOf = (attribute: Attribute, referred: Referred): ComboboxItem[] => [
  { value: attribute.slug, label: mustBeGiven(attribute) ? `${attribute.name} (required)` : attribute.name },
  ...referredItems(attribute, referred),
  ...partsOf(attribute).map((part) => ({
    value: `${attribute.slug}.${part}`,
    label: `${attribute.name}: ${partWords(part)}`,
  })),
]

export function optionsOf(
  { attributes, singularName }: ObjectWithAttributes,
  { mayAdd, referred }: { mayAdd: boolean; referred: Referred },
): Options {
  const items = attributes.map((attribute) => ({ attribute, own: itemsOf(attribute, referred) }))
  const icons = new Map<string, LucideIcon>([
    [DO_NOT_IMPORT, Ban],
    [NEW_ATTRIBUTE, Plus],
    [RECORD_ID, Hash],
    ...items.flatMap(({ attribute, own }) =>
      own.map(({ value }) => [value, TYPES[attribute.type].icon] as const),
    ),
  ])
  const add = {
    value: NEW_ATTRIBUTE,
    label: mayAdd ? 'New attribute…' : 'New attribute… (only admins and owners)',
    disabled: !mayAdd,
  }
  return {
    icons,
    data: [
      { group: 'Column', items: [{ value: DO_NOT_IMPORT, label: 'Do not import' }, add] },
      { group: 'Attribute', items: items.flatMap(({ own }) => own) },
      { group: singularName, items: [{ value: RECORD_ID, label: 'ID of a record to update' }] },
    ],
  }
}

/** Filters by the typed text. "New attribute" is always offered last. */
const filter: OptionsFilter = ({ options, search }) => {
  const wanted = search.trim().toLowerCase()
  const groups = options as ComboboxItemGroup<ComboboxItem>[]
  const isWanted = ({ value, label }: ComboboxItem) =>
    value === NEW_ATTRIBUTE || label.toLowerCase().includes(wanted)
  const found = groups.map((group) => ({ ...group, items: group.items.filter(isWanted) }))
  return wanted === '' ? found : [...found.slice(1), ...found.slice(0, 1)]
}

const MUTED = { input: { color: 'var(--text-muted)' } }

interface TargetSelectProps {
  label: string
  options: Options
  target: Target
  hasError: boolean
  onChange(target: Target): void
}

export function TargetSelect({ label, options, target, hasError, onChange }: TargetSelectProps) {
  const value = target === NOTHING ? DO_NOT_IMPORT : target
  const Icon = options.icons.get(value)
  const typing = useTyping()
  const choose = (chosen: string | null) => {
    // The form for a new attribute has a field for the name.
    typing.set(undefined)
    if (chosen) onChange(chosen === DO_NOT_IMPORT ? NOTHING : chosen)
  }
  return (
    <Select
      aria-label={label}
      data={options.data}
      value={value}
      typing={typing}
      onChange={choose}
      searchable
      filter={filter}
      allowDeselect={false}
      error={hasError}
      withErrorStyles
      maxDropdownHeight={320}
      leftSection={Icon && <Icon size={14} aria-hidden />}
      styles={target === NOTHING ? MUTED : {}}
      renderOption={({ option }) => {
        const OptionIcon = options.icons.get(option.value)
        return (
          <span className="inline gap-6">
            {OptionIcon && <OptionIcon className="muted" size={14} aria-hidden />}
            {option.label}
          </span>
        )
      }}
    />
  )
}
