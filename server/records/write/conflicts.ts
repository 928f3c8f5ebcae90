// Problems that only the database finds: taken unique values and missing references.
import type { Problem } from '../../../contract/errors.ts'
import type { RowFault } from '../../../contract/records.ts'
import { AppError } from '../../base/errors.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'
import { type RecordDraft, targetKey, type UniqueValue } from './store.ts'

export const slugOfNumber = (model: ObjectModel, attr: number): string =>
  [...model.attributes.values()].find((attribute) => attribute.attr === attr)?.slug ?? ''

type Taken = UniqueValue & { id: string }

export const takenText = (id: string): string =>
  `this value is taken by the record ${id}: choose another value, or update that record`

export function uniqueViolation(model: ObjectModel, { attr, id }: Taken): AppError {
  const attributeSlug = slugOfNumber(model, attr)
  return new AppError('unique_violation', `${attributeSlug}: ${takenText(id)}`, {
    attributeSlug,
    existingRecordId: id,
  })
}

/** The fault of a taken value, for a list of faults. */
export const takenFault = (slug: string, id: string): RowFault => ({
  path: `data.${slug}`,
  code: 'unique_violation',
  message: takenText(id),
  existingRecordId: id,
})

/** One problem for each reference of the draft to a missing record. */
export const missingReferences = (
  model: ObjectModel,
  { links }: Pick<RecordDraft, 'links'>,
  missing: ReadonlySet<string>,
): Problem[] =>
  links
    .filter((link) => missing.has(targetKey(link)))
    .map(({ attr, target }) => ({
      path: `data.${slugOfNumber(model, attr)}`,
      code: 'invalid_reference',
      message: `must be the id of a record of the object that this attribute refers to, not ${target}`,
    }))
