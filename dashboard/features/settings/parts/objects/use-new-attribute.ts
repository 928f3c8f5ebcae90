import type { AttributeType } from '../../../../../contract/attribute-types.ts'
import { fieldErrors, hasCode, messageOf } from '../../../../shared/api/errors.ts'
import { useDraft } from '../../../../shared/drafts/use-draft.ts'
import { useOrg } from '../../../../shared/use-organization.ts'
import { createAttribute, type NewAttribute } from '../../api/attributes.ts'
import { finished, repeated } from './option-list.ts'
import { slugOf } from './slug-field.tsx'
import { useObjectChange } from './use-object-change.ts'

interface Fields {
  /** null: it is not chosen yet. */
  type: AttributeType | null
  name: string
  slug: string | null
  isRequired: boolean
  isUnique: boolean
  isList: boolean
  options: readonly string[]
  /** Id of the object a reference points to. */
  target: string | null
}

const EMPTY: Fields = {
  type: null,
  name: '',
  slug: null,
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

function isComplete({ type, name, options, target }: Fields): boolean {
  if (type === null || name.trim() === '') return false
  if (type === 'select') return finished(options).length > 0 && repeated(options) === undefined
  return type !== 'reference' || target !== null
}

const errorsOf = (error: unknown): Record<string, string> =>
  hasCode(error, 'slug_conflict') ? { slug: messageOf(error) } : fieldErrors(error)

export function useNewAttribute(object: string, onDone: () => void) {
  const org = useOrg()
  const draft = useDraft(`new attribute ${object}`, EMPTY)
  const { value: fields, change: set } = draft
  const slug = slugOf('attribute', fields, (to) => set({ slug: to }))
  const submission = useObjectChange(async () => {
    const { type, name, isRequired, isUnique, isList } = fields
    if (type === null) return
    const chosen = slug.chosen && { slug: slug.chosen }
    const input = { name, type, isRequired, isUnique, isList, ...chosen, ...configOf(type, fields) }
    await createAttribute(org, object, input)
    draft.forget()
    onDone()
  })
  const errors = errorsOf(submission.error)
  return { ...submission, draft, fields, set, slug, errors, isComplete: isComplete(fields) }
}

export type NewAttributeState = ReturnType<typeof useNewAttribute>
