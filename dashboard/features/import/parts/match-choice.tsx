// Whether rows make new records or update those that have the same unique value.
import { Radio, Stack } from '@mantine/core'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { type Draft, isFilled, matchable, RECORD_ID } from './mapping.ts'

const ALWAYS_CREATE = '-'

interface MatchChoiceProps {
  draft: Draft
  object: ObjectWithAttributes
  onChange(draft: Draft): void
}

function Matches({ draft, object }: Omit<MatchChoiceProps, 'onChange'>) {
  if (isFilled(draft, RECORD_ID))
    return <Radio value={RECORD_ID} label="Update the record that has the ID of the row" />
  return matchable(object.attributes).map(({ slug, name }) => {
    const isThere = isFilled(draft, slug)
    return (
      <Radio
        key={slug}
        value={slug}
        disabled={!isThere}
        label={`Update the record with the same ${name}, create the others`}
        description={isThere ? undefined : `Map a column to ${name} for this`}
      />
    )
  })
}

export function MatchChoice({ draft, object, onChange }: MatchChoiceProps) {
  const singular = object.singularName.toLowerCase()
  const hasIds = isFilled(draft, RECORD_ID)
  return (
    <Radio.Group
      label={`When a ${singular} already exists`}
      description={
        matchable(object.attributes).length === 0 && !hasIds
          ? `No attribute of ${object.pluralName.toLowerCase()} is unique: every row creates a record.`
          : undefined
      }
      value={draft.matchOn ?? ALWAYS_CREATE}
      onChange={(value) => onChange({ ...draft, matchOn: value === ALWAYS_CREATE ? null : value })}
      maw={640}
    >
      <Stack gap={8} mt={8}>
        <Radio
          value={ALWAYS_CREATE}
          disabled={hasIds}
          label="Create a record for every row"
          description={hasIds ? 'A column holds the IDs of records' : undefined}
        />
        <Matches draft={draft} object={object} />
      </Stack>
    </Radio.Group>
  )
}
