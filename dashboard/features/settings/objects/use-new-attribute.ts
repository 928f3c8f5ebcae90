import type { AttributeType } from '../../../../contract/attribute-types.ts'
import { CASED } from '../../../../contract/cased-types.ts'
import { mayHaveDefault } from '../../../../contract/default-values.ts'
import { fieldErrors, hasCode, messageOf } from '../../../shared/api/errors.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { fieldOf } from '../../../shared/filters/record-fields.ts'
import { useDataForm } from '../../../shared/form/use-data-form.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { createAttribute, type NewAttribute } from '../api/attributes.ts'
import { fittingDefault, type WithDefaultValue } from './default-field.tsx'
import { finished, repeated } from './option-list.ts'
import { useRefreshObjects } from './use-object-change.ts'

export interface NewAttributeFields extends WithDefaultValue {
  /** null: not chosen yet. */
  type: AttributeType | null
  name: string
  slug: string | null
  isRequired: boolean
  isUnique: boolean
  /** Whether values that differ only in case are different. Default: true. */
  isCaseSensitive: boolean
  isList: boolean
  options: readonly string[]
  /** Id of the object that a reference points to. */
  target: string | null
}

const EMPTY: NewAttributeFields = {
  type: null,
  name: '',
  slug: null,
  isRequired: false,
  isUnique: false,
  isCaseSensitive: true,
  isList: false,
  options: [''],
  target: null,
  defaultValue: null,
}

/** Paths whose problems are shown at form fields. */
export const ATTRIBUTE_FIELDS = [
  'name',
  'slug',
  'isRequired',
  'isUnique',
  'isList',
  'config',
  'config.options',
  'config.allowed_object_id',
  'config.caseSensitive',
]

function configOf(
  type: AttributeType,
  { options, target, isUnique, isCaseSensitive }: NewAttributeFields,
): Pick<NewAttribute, 'config'> {
  if (type === 'select') return { config: { options: finished(options) } }
  // Only if the user chose it: after that, servers of the previous version cannot write unique values.
  if (isUnique && CASED.has(type) && !isCaseSensitive) return { config: { caseSensitive: false } }
  return type === 'reference' && target !== null ? { config: { allowed_object_id: target } } : {}
}

/** The new attribute, for the editor of the default value. */
export const attributeOf = (type: AttributeType, fields: NewAttributeFields): Attribute =>
  fieldOf({
    ...{ slug: 'default', name: fields.name, type, objectId: '' },
    ...{ isUnique: fields.isUnique, isList: fields.isList, config: configOf(type, fields).config ?? null },
  })

function defaultOf(type: AttributeType, fields: NewAttributeFields): Pick<NewAttribute, 'defaultValue'> {
  const { defaultValue, isUnique, isList } = fields
  if (defaultValue === null || !mayHaveDefault({ type, isUnique })) return {}
  return { defaultValue: fittingDefault({ type, isList }, defaultValue) }
}

export function isComplete({ type, name, options, target }: NewAttributeFields): boolean {
  if (type === null || name.trim() === '') return false
  if (type === 'select') return finished(options).length > 0 && repeated(options) === undefined
  return type !== 'reference' || target !== null
}

const problemsOf = (error: unknown): Record<string, string> =>
  hasCode(error, 'slug_conflict') ? { slug: messageOf(error) } : fieldErrors(error)

export function useNewAttribute(object: string, onClose: () => void) {
  const org = useOrg()
  const refresh = useRefreshObjects()
  return useDataForm<NewAttributeFields>({
    draft: `new attribute ${object}`,
    initial: EMPTY,
    problemsOf,
    async save(fields, { close }) {
      const { type, name, slug, isRequired, isUnique, isList } = fields
      if (type === null) return
      const input = {
        name,
        type,
        isRequired,
        isUnique,
        isList,
        ...(slug && { slug }),
        ...configOf(type, fields),
        ...defaultOf(type, fields),
      }
      await createAttribute(org, object, input)
      close()
      await refresh()
    },
    onClose,
  })
}
