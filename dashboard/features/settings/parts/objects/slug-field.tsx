import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { transliterate } from 'transliteration'
import { SLUG_PATTERN } from '../../../../../contract/attribute-types.ts'
import { slugsWith } from '../../../../../contract/slugs.ts'

const { slugFor } = slugsWith(transliterate)

interface Slug {
  /** As shown. */
  slug: string
  /** As asked for; undefined: the service makes it from the name, which finds a free one. */
  chosen: string | undefined
  setSlug(slug: string): void
}

/** Follows the name until another is typed. */
export function useSlug(kind: 'attribute' | 'object', name: string): Slug {
  const [chosen, setSlug] = useState<string>()
  const made = name.trim() === '' ? '' : slugFor(kind, name)
  return { slug: chosen ?? made, chosen: chosen === '' ? undefined : chosen, setSlug }
}

export function SlugField({ slug, setSlug, error }: Slug & { error: string | undefined }) {
  return (
    <TextInput
      label="Slug"
      description="Its name in the API; it cannot be changed later"
      value={slug}
      onChange={({ currentTarget }) => setSlug(currentTarget.value)}
      pattern={SLUG_PATTERN}
      title="Lowercase letters, digits and _, starting with a letter"
      ff="monospace"
      required
      autoComplete="off"
      spellCheck={false}
      error={error}
    />
  )
}
