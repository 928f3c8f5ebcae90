import { TextInput } from '@mantine/core'
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

interface SlugSource {
  name: string
  /** What was typed as the slug; null: nothing yet. */
  slug: string | null
}

/** Follows the name until another is typed. */
export function slugOf(
  kind: 'attribute' | 'object',
  { name, slug }: SlugSource,
  setSlug: (slug: string) => void,
): Slug {
  const made = name.trim() === '' ? '' : slugFor(kind, name)
  return { slug: slug ?? made, chosen: slug || undefined, setSlug }
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
