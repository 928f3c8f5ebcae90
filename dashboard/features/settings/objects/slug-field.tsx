import { TextInput } from '@mantine/core'
import { transliterate } from 'transliteration'
import { SLUG_PATTERN } from '../../../../contract/attribute-types.ts'
import { slugsWith } from '../../../../contract/slugs.ts'

const { slugFor } = slugsWith(transliterate)

interface SlugFieldProps {
  kind: 'attribute' | 'object'
  name: string
  /** The typed slug. null: not typed; the service then derives an unused slug from the name. */
  value: string | null
  onChange(value: unknown): void
  error: string | undefined
}

/** Shows a slug derived from the name until the user types one. */
export function SlugField({ kind, name, value, ...field }: SlugFieldProps) {
  const made = name.trim() === '' ? '' : slugFor(kind, name)
  return (
    <TextInput
      label="Slug"
      description="Its name in the API; it cannot be changed later"
      value={value ?? made}
      {...field}
      pattern={SLUG_PATTERN}
      title="Lowercase letters, digits and _, starting with a letter"
      ff="monospace"
      required
      autoComplete="off"
      spellCheck={false}
    />
  )
}
