// Titles of runs in lists.
import { namingAttribute, recordName } from '../../../contract/record-name.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'

/** `Big deal won – Acme renewal` */
export const titleOf = (workflow: string, about: string | undefined): string =>
  about ? `${workflow} – ${about}` : workflow

/** @param data the data of the record */
export const nameOfRecord = (
  { attributes }: Pick<ObjectModel, 'attributes'>,
  record: { id: string; data: Readonly<Record<string, unknown>> },
): string => recordName(namingAttribute([...attributes.values()]), record)
