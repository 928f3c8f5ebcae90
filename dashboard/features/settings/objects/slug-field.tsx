import { TextInput } from '@mantine/core'
import { transliterate } from 'transliteration'
import { SLUG_PATTERN } from '../../../../contract/attribute-types.ts'
import { slugsWith } from '../../../../contract/slugs.ts'

const { slugFor } = slugsWith(transliterate)

interface SlugFieldProps {
  kind: 'attribute' | 'object'
  name: string
  /** What was typed; null: nothing yet. The service makes it from the name then, and finds a free one. */
  value: string | null
  onChange(value: unknown): void
  error: string | undefined
}

/** Follows the name until another is typed. */
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
