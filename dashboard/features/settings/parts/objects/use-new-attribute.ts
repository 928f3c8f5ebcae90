import { useState } from 'react'
import type { AttributeType } from '../../../../../contract/attribute-types.ts'
import { fieldErrors, hasCode, messageOf } from '../../../../shared/api/errors.ts'
import { useOrg } from '../../../../shared/use-organization.ts'
import { createAttribute, type NewAttribute } from '../../api/attributes.ts'
import { finished, repeated } from './option-list.ts'
import { useSlug } from './slug-field.tsx'
import { useObjectChange } from './use-object-change.ts'

interface Fields {
  name: string
  isRequired: boolean
  isUnique: boolean
  isList: boolean
  options: readonly string[]
  /** Id of the object a reference points to. */
  target: string | null
}

const EMPTY: Fields = {
  name: '',
  isRequired: false,
  isUnique: false,
  isList: false,
  options: [''],
  target: null,
}

/** Paths whose problems are shown at their fields. */
export const ATTRIBUTE_FIELDS = ['name', 'slug', 'isUnique', 'isList', 'config', 'config.options']

function configOf(type: AttributeType, { options, target }: Fields): Pick<NewAttribute, 'config'> {
  if (type === 'select') return { config: { options: finished(options) } }
  return type === 'reference' && target !== null ? { config: { allowed_object_id: target } } : {}
}

function isComplete(type: AttributeType, { name, options, target }: Fields): boolean {
  if (name.trim() === '') return false
  if (type === 'select') return finished(options).length > 0 && repeated(options) === undefined
  return type !== 'reference' || target !== null
}

const errorsOf = (error: unknown): Record<string, string> =>
  hasCode(error, 'slug_conflict') ? { slug: messageOf(error) } : fieldErrors(error)

export function useNewAttribute({
  object,
  type,
  onDone,
}: {
  object: string
  type: AttributeType
  onDone(): void
}) {
  const org = useOrg()
  const [fields, setFields] = useState(EMPTY)
  const slug = useSlug('attribute', fields.name)
  const submission = useObjectChange(async () => {
    const { name, isRequired, isUnique, isList } = fields
    const chosen = slug.chosen && { slug: slug.chosen }
    const input = { name, type, isRequired, isUnique, isList, ...chosen, ...configOf(type, fields) }
    await createAttribute(org, object, input)
    onDone()
  })
  const set = (part: Partial<Fields>) => setFields({ ...fields, ...part })
  const errors = errorsOf(submission.error)
  return { ...submission, fields, set, slug, errors, isComplete: isComplete(type, fields) }
}

export type NewAttributeState = ReturnType<typeof useNewAttribute>
