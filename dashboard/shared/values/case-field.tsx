import { Checkbox, type CheckboxProps } from '@mantine/core'
import { CASED } from '../../../contract/cased-types.ts'
import type { Attribute } from '../api/objects.ts'

/** Whether the case of its values may count: of those of no other attribute it is asked. */
export const hasCase = ({ type, isUnique }: Pick<Attribute, 'type' | 'isUnique'>): boolean =>
  isUnique && CASED.has(type)

/** Whether unique values that differ only in case are different. */
export const isCaseSensitive = ({ config }: Pick<Attribute, 'config'>): boolean =>
  !(config && 'caseSensitive' in config) || config.caseSensitive

/** Of an attribute that is unique. */
export const CaseField = (props: CheckboxProps) => (
  <Checkbox label="Case-sensitive" description="“AB-1” and “ab-1” are different values" {...props} />
)
