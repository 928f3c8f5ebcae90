// What the board is made of: columns of which attribute, which total, what is on the cards.
import { Box, Button, Menu } from '@mantine/core'
import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Attribute } from '../../../../shared/api/objects.ts'
import type { ViewState } from '../../../../shared/filters/view-state.ts'
import { groupable } from '../../groupable.ts'
import { useBoard } from './board-context.ts'
import { CARD_FIELDS_MAX, fieldChoices, summable, withFields } from './columns.ts'

interface ToolbarProps {
  onChangeView(patch: Partial<ViewState>): void
}

interface ChoiceProps {
  label: string
  chosen: string
  children: ReactNode
}

function Choice({ label, chosen, children }: ChoiceProps) {
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          flex="none"
          maw={320}
          fw={400}
          c="var(--text)"
          rightSection={<ChevronDown size={14} aria-hidden />}
        >
          <Box component="span" className="muted" mr={8}>
            {label}
          </Box>
          {chosen}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={360} maw={320} className="scroll">
        {children}
      </Menu.Dropdown>
    </Menu>
  )
}

const radios = (attributes: readonly Attribute[]) =>
  attributes.map(({ id, slug, name }) => (
    <Menu.RadioItem key={id} value={slug}>
      {name}
    </Menu.RadioItem>
  ))

function GroupChoice({ onChangeView }: ToolbarProps) {
  const { object, groupBy, sumOf } = useBoard().source
  const choose = (slug: string) =>
    onChangeView({ board: { groupBy: slug, ...(sumOf && { sumOf: sumOf.slug }) } })
  return (
    <Choice label="Columns" chosen={groupBy.name}>
      <Menu.RadioGroup value={groupBy.slug} onChange={choose}>
        {radios(groupable(object.attributes))}
      </Menu.RadioGroup>
    </Choice>
  )
}

const NONE = '-'

function SumChoice({ onChangeView }: ToolbarProps) {
  const { object, groupBy, sumOf } = useBoard().source
  const sums = summable(object.attributes)
  if (sums.length === 0) return null
  const choose = (slug: string) =>
    onChangeView({ board: { groupBy: groupBy.slug, ...(slug !== NONE && { sumOf: slug }) } })
  return (
    <Choice label="Total" chosen={sumOf?.name ?? 'None'}>
      <Menu.RadioGroup value={sumOf?.slug ?? NONE} onChange={choose}>
        <Menu.RadioItem value={NONE}>None</Menu.RadioItem>
        {radios(sums)}
      </Menu.RadioGroup>
    </Choice>
  )
}

function FieldsChoice({ onChangeView }: ToolbarProps) {
  const { source, fields } = useBoard()
  const { attributes } = source.object
  const others = fieldChoices(attributes, source.groupBy)
  const isFull = fields.length >= CARD_FIELDS_MAX
  const toggle = (attribute: Attribute, isOn: boolean) => {
    const rest = fields.filter((one) => one !== attribute)
    onChangeView({ columns: withFields(attributes, isOn ? [...rest, attribute] : rest) })
  }
  return (
    <Choice label="Cards" chosen={fields.map(({ name }) => name).join(', ') || 'Name only'}>
      <Menu.Label>Up to {CARD_FIELDS_MAX} below the name</Menu.Label>
      {others.map((attribute) => (
        <Menu.CheckboxItem
          key={attribute.id}
          checked={fields.includes(attribute)}
          disabled={isFull && !fields.includes(attribute)}
          onChange={(isOn) => toggle(attribute, isOn)}
        >
          {attribute.name}
        </Menu.CheckboxItem>
      ))}
    </Choice>
  )
}

export function BoardToolbar(props: ToolbarProps) {
  return (
    <Box className="row wrap fixed gap-4 strip" px={8} py={4} mih={40}>
      <GroupChoice {...props} />
      <SumChoice {...props} />
      <FieldsChoice {...props} />
    </Box>
  )
}
