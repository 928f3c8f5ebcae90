// Chooses whether empty cells clear the values of updated records.
import { Radio, Stack } from '@mantine/core'
import type { EmptyCells } from '../../../../contract/imports.ts'
import { type Draft, mayUpdate } from './mapping.ts'

interface EmptyChoiceProps {
  draft: Draft
  onChange(draft: Draft): void
}

export function EmptyChoice({ draft, onChange }: EmptyChoiceProps) {
  if (!mayUpdate(draft)) return null
  return (
    <Radio.Group
      label="When a cell is empty"
      value={draft.empty}
      onChange={(value) => onChange({ ...draft, empty: value as EmptyCells })}
      maw={640}
    >
      <Stack gap={8} mt={8}>
        <Radio value="keep" label="Keep the value of the record" />
        <Radio
          value="clear"
          label="Clear the value of the record"
          description="Of all attributes that a column fills; a required value cannot be cleared"
        />
      </Stack>
    </Radio.Group>
  )
}
