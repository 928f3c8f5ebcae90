import { TextInput } from '@mantine/core'
import { SLUG_PATTERN } from '../../../../contract/attribute-types.ts'

/** Field for a new slug if the original one is taken. */
export function OtherSlug(props: { taken: string; by: string; value: string; onChange(slug: string): void }) {
  return (
    <TextInput
      label="Slug"
      description={`Another ${props.by} has the slug ${props.taken} now.`}
      value={props.value}
      onChange={({ currentTarget }) => props.onChange(currentTarget.value)}
      pattern={SLUG_PATTERN}
      title="Lowercase letters, digits and _, starting with a letter"
      ff="monospace"
      required
      data-autofocus
    />
  )
}
