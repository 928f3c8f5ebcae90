// Counts with nouns.
import { counted as countedOf } from '../../../../contract/counted.ts'

export { counted as plural } from '../../../../contract/counted.ts'

/** "1 company", "1,204 companies" */
export const counted = (
  { singularName, pluralName }: { singularName: string; pluralName: string },
  count: number,
): string => countedOf(count, singularName.toLowerCase(), pluralName.toLowerCase())
