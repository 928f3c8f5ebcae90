// Attributes whose values identify one record.
import { TYPE_CONTRACTS } from './attribute-types.ts'
import type { Attribute } from './attributes.ts'

export function identifies({ type, isUnique }: Pick<Attribute, 'type' | 'isUnique'>): boolean {
  const { identifies: when } = TYPE_CONTRACTS[type]
  return when === 'always' || (when === 'ifUnique' && isUnique)
}
