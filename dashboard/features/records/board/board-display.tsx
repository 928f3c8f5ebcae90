// A menu with the settings of a board: attribute of the columns, total, and fields of the cards.
import { Button, Menu } from '@mantine/core'
import { SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { groupable } from '../groupable.ts'
import type { ShownView } from '../view/use-view.ts'
import {
  type BoardAttributes,
  boardAttributes,
  CARD_FIELDS_MAX,
  cardFields,
  fieldChoices,
  summable,
  withFields,
} from './columns.ts'

interface DisplayProps {
  object: ObjectWithAttributes
  view: ShownView
}

interface ChoiceProps extends DisplayProps {
  shown: BoardAttributes
}

const radios = (attributes: readonly Attribute[]) =>
  attributes.map(({ id, slug, name }) => (
    <Menu.RadioItem key={id} value={slug}>
      {name}
    </Menu.RadioItem>
  ))

function Section({ label, children }: { label: string; children: ReactNode }) {
  const heading = useId()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of items of a menu, not of fields
    <div role="group" aria-labelledby={heading}>
      <Menu.Label id={heading}>{label}</Menu.Label>
      {children}
    </div>
  )
}

function ColumnChoice({ object, view, shown: { groupBy, sumOf } }: ChoiceProps) {
  const choose = (slug: string) =>
    view.change({ board: { groupBy: slug, ...(sumOf && { sumOf: sumOf.slug }) } })
  return (
    <Section label="Columns">
      <Menu.RadioGroup value={groupBy.slug} onChange={choose}>
        {radios(groupable(object.attributes))}
      </Menu.RadioGroup>
    </Section>
  )
}

const NONE = '-'

function TotalChoice({ object, view, shown: { groupBy, sumOf } }: ChoiceProps) {
  const sums = summable(object.attributes)
  if (sums.length === 0) return null
  const choose = (slug: string) =>
    view.change({ board: { groupBy: groupBy.slug, ...(slug !== NONE && { sumOf: slug }) } })
  return (
    <>
      <Menu.Divider />
      <Section label="Total of each column">
        <Menu.RadioGroup value={sumOf?.slug ?? NONE} onChange={choose}>
          <Menu.RadioItem value={NONE}>None</Menu.RadioItem>
          {radios(sums)}
        </Menu.RadioGroup>
      </Section>
    </>
  )
}

function FieldChoice({ object: { attributes }, view, shown: { groupBy } }: ChoiceProps) {
  const fields = cardFields(attributes, view.state)
  const isFull = fields.length >= CARD_FIELDS_MAX
  const toggle = (attribute: Attribute, isOn: boolean) => {
    const rest = fields.filter((one) => one !== attribute)
    view.change({ columns: withFields(attributes, isOn ? [...rest, attribute] : rest) })
  }
  return (
    <>
      <Menu.Divider />
      <Section label={`Cards, up to ${CARD_FIELDS_MAX} below the name`}>
        {fieldChoices(attributes, groupBy).map((attribute) => (
          <Menu.CheckboxItem
            key={attribute.id}
            checked={fields.includes(attribute)}
            disabled={isFull && !fields.includes(attribute)}
            onChange={(isOn) => toggle(attribute, isOn)}
          >
            {attribute.name}
          </Menu.CheckboxItem>
        ))}
      </Section>
    </>
  )
}

export function BoardDisplay(props: DisplayProps) {
  const shown = boardAttributes(props.object.attributes, props.view.state)
  if (!shown) return null
  return (
    <Menu>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          flex="none"
          title="Columns, totals and cards"
          leftSection={<SlidersHorizontal size={14} aria-hidden />}
        >
          Display
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="min(560px, 75dvh)" miw={220} maw={320} className="scroll">
        <ColumnChoice {...props} shown={shown} />
        <TotalChoice {...props} shown={shown} />
        <FieldChoice {...props} shown={shown} />
      </Menu.Dropdown>
    </Menu>
  )
}
