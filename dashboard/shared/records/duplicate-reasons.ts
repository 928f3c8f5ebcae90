// Why records count as duplicates.
import type { DuplicateRule } from '../api/duplicate-rules.ts'
import { inSentence } from '../values/in-sentence.ts'

/** "Same domain, similar name". Rules that no longer exist are omitted. */
export const reasonText = (rules: readonly DuplicateRule[], reasons: readonly string[]): string =>
  rules
    .flatMap(({ id, name }) => (reasons.includes(id) ? [name] : []))
    .map((name, place) => (place === 0 ? name : inSentence(name)))
    .join(', ')
