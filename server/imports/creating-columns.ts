// The reference columns of an import whose cells create the records that they name and that do not exist.
import { namingAttribute } from '../../contract/record-name.ts'
import type { ModelAttribute, ObjectModel } from '../model/attributes/models.ts'
import type { Column } from '../records/import/columns.ts'

interface Creating {
  model: ObjectModel
  matched: ModelAttribute | undefined
  duplicates?: string | undefined
}

/**
 * Rows of the file create records of their own object too. Only where a row is matched by what the cells name does it
 * find the record that a cell has created; else there would be two.
 */
function isFoundByRow({ model, matched, duplicates }: Creating, { part }: Column): boolean {
  if (!matched?.isUnique || (duplicates !== undefined && duplicates !== 'update')) return false
  return matched.slug === (part ?? namingAttribute([...model.attributes.values()])?.slug)
}

export const creatingColumns = (creating: Creating, columns: readonly Column[]): Column[] =>
  columns.map((column): Column => {
    const { targetObj } = column.attribute
    const isCreating =
      targetObj !== null && (targetObj !== creating.model.obj || isFoundByRow(creating, column))
    return isCreating ? { ...column, onProblem: 'create' } : column
  })
