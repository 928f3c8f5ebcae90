// The reference columns of an import whose cells create the records that they name and that do not exist.
import { namingAttribute } from '../../contract/record-name.ts'
import type { ObjectModel } from '../model/attributes/models.ts'
import { identifies, uniqueAttributes } from '../model/attributes/unique-attributes.ts'
import type { Column } from '../records/import/columns.ts'
import { HAS_OWN_FORM } from './missing-records.ts'

interface Creating {
  createsMissing?: boolean | undefined
  matchOn?: string | undefined
  /** undefined: a row updates the record that it is matched with. */
  duplicates?: string | undefined
}

/** Whether a cell without `part` would also fill another unique attribute, such as a domain. */
const fillsAnother = (model: ObjectModel, matchOn: string): boolean =>
  uniqueAttributes(model).some(({ slug, type }) => slug !== matchOn && HAS_OWN_FORM.has(type))

/**
 * A record that a cell creates can have a later row in the file. That row must find the record by the value of the
 * cell; otherwise it creates a second record.
 */
function isFoundByRow(model: ObjectModel, { matchOn, duplicates }: Creating, { part }: Column): boolean {
  const matched = model.attributes.get(matchOn ?? '')
  if (!matched || !identifies(matched) || duplicates !== undefined) return false
  if (part !== undefined) return part === matched.slug
  const naming = namingAttribute([...model.attributes.values()])
  return naming?.slug === matched.slug && !fillsAnother(model, matched.slug)
}

/** References to the imported object itself create records only if rows are matched by the values of these cells. */
export function creatingColumns(
  model: ObjectModel,
  creating: Creating,
  columns: readonly Column[],
): readonly Column[] {
  if (!creating.createsMissing) return columns
  return columns.map((column): Column => {
    const { targetObj } = column.attribute
    const isCreating =
      targetObj !== null && (targetObj !== model.obj || isFoundByRow(model, creating, column))
    return isCreating ? { ...column, onProblem: 'create' } : column
  })
}
