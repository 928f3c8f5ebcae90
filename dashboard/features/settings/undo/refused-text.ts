import { hasProblems, messageOf } from '../../../shared/api/errors.ts'

/** The refusal of a source without changes, or with changes of others only, is about its id. */
export function refusedText(error: unknown): string {
  const message = hasProblems(error) && error.problems.find(({ path }) => path === 'id')?.message
  if (!message) return messageOf(error)
  if (message.startsWith('must be of changes of records'))
    return 'There is nothing to undo: it changed no records, activities, comments or files in the last day.'
  return message.startsWith('has ') ? `It ${message}.` : messageOf(error)
}
