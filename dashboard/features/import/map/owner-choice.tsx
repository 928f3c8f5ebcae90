// Chooses one member for all rows, for each member attribute that no column fills.
import { Group } from '@mantine/core'
import type { Attribute } from '../../../shared/api/objects.ts'
import { inSentence } from '../../../shared/values/in-sentence.ts'
import { MemberPicker } from '../../../shared/values/member-picker.tsx'
import { type Draft, isFilled } from './mapping.ts'

interface OwnerChoiceProps {
  draft: Draft
  attributes: readonly Attribute[]
  onChange(draft: Draft): void
}

export function OwnerChoice({ draft, attributes, onChange }: OwnerChoiceProps) {
  const owners = attributes.filter(
    ({ slug, type, isList }) => type === 'member' && !isList && !isFilled(draft, slug),
  )
  const set = (slug: string, value: string | null) => {
    const { [slug]: _, ...others } = draft.fixed
    onChange({ ...draft, fixed: value === null ? others : { ...others, [slug]: value } })
  }
  if (owners.length === 0) return null
  return (
    <Group gap={16}>
      {owners.map(({ slug, name }) => (
        <MemberPicker
          key={slug}
          label={`${name} of all rows`}
          placeholder={`No ${inSentence(name)}`}
          value={draft.fixed[slug] ?? null}
          onChange={(value) => set(slug, value)}
        />
      ))}
    </Group>
  )
}
