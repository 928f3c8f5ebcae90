// Chooses how rows match records, by one unique value or also by duplicate rules, and what matching rows do.
import { Radio, Stack } from '@mantine/core'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { type Draft, isFilled, matchable, RECORD_ID } from './mapping.ts'

const ALWAYS_CREATE = '-'
/** Cannot be slugs, which contain no plus. */
const SKIP = '+skip'
const UPDATE = '+update'

interface MatchChoiceProps {
  draft: Draft
  object: ObjectWithAttributes
  onChange(draft: Draft): void
}

const chosenIn = ({ matchOn, duplicates }: Draft): string =>
  duplicates === null ? (matchOn ?? ALWAYS_CREATE) : `+${duplicates}`

/** A column of ids always decides the matching. */
function withValue(draft: Draft, value: string): Draft {
  const matchOn = isFilled(draft, RECORD_ID) ? RECORD_ID : null
  if (value === SKIP) return { ...draft, matchOn, duplicates: 'skip' }
  if (value === UPDATE) return { ...draft, matchOn, duplicates: 'update' }
  return { ...draft, matchOn: value === ALWAYS_CREATE ? null : value, duplicates: null }
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
      description="Rows match by a unique value, else by the rules for duplicates, such as the same email or a similar name."
      value={chosenIn(draft)}
      onChange={(value) => onChange(withValue(draft, value))}
      maw={640}
    >
      <Stack gap={8} mt={8}>
        <Radio
          value={ALWAYS_CREATE}
          disabled={hasIds}
          label="Create a record for every row"
          description={hasIds ? 'A column holds the IDs of records' : undefined}
        />
        <Radio value={SKIP} label="Skip rows that match a record, create the others" />
        <Radio value={UPDATE} label="Update the record that a row matches, create the others" />
        <Matches draft={draft} object={object} />
      </Stack>
    </Radio.Group>
  )
}
