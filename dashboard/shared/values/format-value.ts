// Formats attribute values as text.
import { TYPES } from '../../types/types.ts'
import type { Attribute } from '../api/objects.ts'
import { isEmpty } from './format.ts'

const formatOne = (type: Attribute['type'], value: unknown): string =>
  isEmpty(value) ? '' : (TYPES[type].format ?? String)(value)

/** The value as one line of text. A reference is shown as its id. */
export const formatValue = ({ type }: Pick<Attribute, 'type'>, value: unknown): string =>
  Array.isArray(value) ? value.map((one) => formatOne(type, one)).join(', ') : formatOne(type, value)
