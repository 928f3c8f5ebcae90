import { Checkbox, type CheckboxProps } from '@mantine/core'
import { CASED } from '../../../contract/cased-types.ts'
import type { Attribute } from '../api/objects.ts'

/** Whether the attribute has the case-sensitivity setting: only unique attributes of some types have it. */
export const hasCase = ({ type, isUnique }: Pick<Attribute, 'type' | 'isUnique'>): boolean =>
  isUnique && CASED.has(type)

/** Whether unique values that differ only in case are different. */
export const isCaseSensitive = ({ config }: Pick<Attribute, 'config'>): boolean =>
  !(config && 'caseSensitive' in config) || config.caseSensitive

/** The case-sensitivity setting of a unique attribute. */
export const CaseField = (props: CheckboxProps) => (
  <Checkbox label="Case-sensitive" description="“AB-1” and “ab-1” are different values" {...props} />
)
